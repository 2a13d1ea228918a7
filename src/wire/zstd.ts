/**
 * zstd bodies. Node 20 has no zstd, so a small decoder does it; a frame is walked first, because a few bytes can promise
 * gigabytes. What we send is stored in a frame as it is: valid zstd for whoever insists, without a compressor.
 */
import { Decompress, decompress } from 'fzstd';
import { WireError } from './proto-reader.ts';
import { concatenated } from './tensor-bytes.ts';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
/** What every decoder should be able to look back on. */
const WINDOW = 8 << 20;

/** One frame, of at most `limit` bytes when unpacked. */
export function zstdDecode(bytes: Uint8Array, limit: number): Uint8Array {
  const { contentSize, window } = frameOf(bytes);
  const tooLarge = (size: number | bigint) =>
    new WireError(`zstd: ${size} bytes are more than the ${limit} that a body may have`);
  if (contentSize !== undefined && contentSize > limit) throw tooLarge(contentSize);
  if (window > Math.max(limit, WINDOW)) throw tooLarge(window);
  try {
    if (contentSize !== undefined) return decompress(bytes);
    const pieces: Uint8Array[] = [];
    let size = 0;
    const stream = new Decompress((piece) => {
      size += piece.length;
      if (size > limit) throw tooLarge(size);
      pieces.push(new Uint8Array(piece));
    });
    stream.push(bytes, true);
    return concatenated(pieces);
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw new WireError(`zstd: the body is damaged (${error instanceof Error ? error.message : error})`);
  }
}

/** The bytes in a frame of raw blocks. */
export function zstdStore(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAX_BLOCK));
  const out = new Uint8Array(13 + 3 * blocks + bytes.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  // One segment, its size in eight bytes.
  out[4] = 0b1110_0000;
  view.setBigUint64(5, BigInt(bytes.length), true);
  let at = 13;
  for (let block = 0; block < blocks; block++) {
    const piece = bytes.subarray(block * MAX_BLOCK, (block + 1) * MAX_BLOCK);
    const header = (piece.length << 3) | (block === blocks - 1 ? 1 : 0);
    out.set([header & 255, (header >> 8) & 255, header >> 16], at);
    out.set(piece, at + 3);
    at += 3 + piece.length;
  }
  return out;
}

/** Sizes a frame declares, after checking that the bytes are that one frame and nothing behind it. */
function frameOf(bytes: Uint8Array): { contentSize: number | undefined; window: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0, true) !== MAGIC) throw new WireError('zstd: the body does not begin with a zstd frame');
    const flags = view.getUint8(4);
    const single = (flags & 0x20) !== 0;
    if ((flags & 0b1011) !== 0) throw new WireError('zstd: dictionaries are not understood');
    const sizeBytes = flags >> 6 === 0 ? (single ? 1 : 0) : 1 << (flags >> 6);
    const sizeAt = single ? 5 : 6;
    const contentSize = sizeBytes === 0 ? undefined : readSize(view, sizeAt, sizeBytes);
    const window = single ? (contentSize ?? 0) : windowSize(view.getUint8(5));
    const checksum = (flags & 4) !== 0 ? 4 : 0;
    if (endOfBlocks(view, sizeAt + sizeBytes) + checksum !== bytes.length)
      throw new WireError('zstd: the frame is cut off, or something follows it');
    return { contentSize, window };
  } catch (error) {
    if (error instanceof RangeError) throw new WireError('zstd: the frame is cut off');
    throw error;
  }
}

function readSize(view: DataView, at: number, length: number): number {
  if (length === 1) return view.getUint8(at);
  if (length === 2) return view.getUint16(at, true) + 256;
  if (length === 4) return view.getUint32(at, true);
  return Number(view.getBigUint64(at, true));
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function endOfBlocks(view: DataView, start: number): number {
  let at = start;
  for (;;) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    if (type === 3) throw new WireError('zstd: a block has no known type');
    // A run-length block has one byte, however long it becomes.
    at += 3 + (type === 1 ? 1 : header >> 3);
    if ((header & 1) === 1) return at;
  }
}
