/**
 * The safetensors format: an 8-byte length, a JSON header, then raw tensors. Headers come from anywhere, so every size is
 * checked against the file before a byte of it is believed.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes an element takes, for the types that become fp32 without loss. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2 };
/** The format's own limit. */
const MAX_HEADER = 100_000_000;
/** Large enough for speed, small enough to keep the thread free between pieces. */
const PIECE = 4 << 20;

export interface StoredTensor {
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

export class SafetensorsFile implements AsyncDisposable {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly #handle: FileHandle;
  readonly #dataStart: number;

  private constructor(path: string, handle: FileHandle, tensors: ReadonlyMap<string, StoredTensor>, dataStart: number) {
    this.path = path;
    this.#handle = handle;
    this.tensors = tensors;
    this.#dataStart = dataStart;
  }

  static async open(path: string): Promise<SafetensorsFile> {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      const length = Buffer.alloc(8);
      const { bytesRead } = await handle.read(length, 0, 8, 0);
      const headerBytes = bytesRead === 8 ? Number(length.readBigUInt64LE()) : Number.NaN;
      if (!(headerBytes <= Math.min(MAX_HEADER, size - 8))) {
        throw new Error(`header of ${headerBytes} bytes in a file of ${size}: truncated, or no safetensors file`);
      }
      const header = Buffer.alloc(headerBytes);
      await readFully(handle, header, 8);
      return new SafetensorsFile(path, handle, parseHeader(header, size - 8 - headerBytes), 8 + headerBytes);
    } catch (error) {
      await handle.close();
      throw new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }

  /** Reads a tensor as fp32 into `target`, whose shape must be the stored one. */
  async read(name: string, shape: readonly number[], target: Float32Array): Promise<void> {
    const tensor = this.tensors.get(name);
    if (!tensor) throw new Error(`${this.path}: tensor ${name} is missing`);
    if (tensor.shape.join() !== shape.join()) {
      throw new Error(
        `${this.path}: tensor ${name} is [${tensor.shape.join(', ')}], the model needs [${shape.join(', ')}]`,
      );
    }
    const width = ELEMENT_BYTES[tensor.dtype];
    if (width === undefined) {
      throw new Error(
        `${this.path}: tensor ${name} is ${tensor.dtype}; F32, F16 and BF16 can be read (convert it first)`,
      );
    }
    for (let start = 0; start < target.length; start += PIECE / width) {
      const count = Math.min(PIECE / width, target.length - start);
      const bytes = Buffer.alloc(count * width);
      await readFully(this.#handle, bytes, this.#dataStart + tensor.begin + start * width);
      toFloats(tensor.dtype, bytes, target.subarray(start, start + count));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

async function readFully(handle: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new Error('the file ends before its data does');
    done += bytesRead;
  }
}

function parseHeader(header: Buffer, dataBytes: number): Map<string, StoredTensor> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(header.toString('utf8'));
  } catch (error) {
    throw new Error('the header is not JSON', { cause: error });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('the header is no object');
  const tensors = new Map<string, StoredTensor>();
  for (const [name, entry] of Object.entries(parsed)) {
    if (name !== '__metadata__') tensors.set(name, checkEntry(name, entry, dataBytes));
  }
  let expected = 0;
  for (const [name, { begin, end }] of [...tensors].sort((a, b) => a[1].begin - b[1].begin || a[1].end - b[1].end)) {
    if (begin !== expected)
      throw new Error(`tensor ${name} ${begin < expected ? 'overlaps another' : 'leaves a gap before it'}`);
    expected = end;
  }
  if (expected !== dataBytes) throw new Error(`tensors fill ${expected} bytes, the file holds ${dataBytes}`);
  return tensors;
}

function checkEntry(name: string, entry: unknown, dataBytes: number): StoredTensor {
  // Every field is checked before use: nothing is known of the entry yet.
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const natural = (x: unknown): x is number => Number.isSafeInteger(x) && (x as number) >= 0;
  if (typeof dtype !== 'string') throw new Error(`tensor ${name} has no dtype`);
  if (!Array.isArray(shape) || !shape.every(natural)) throw new Error(`tensor ${name} has no valid shape`);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(natural)) {
    throw new Error(`tensor ${name} has no valid data_offsets`);
  }
  const [begin, end] = offsets as [number, number];
  if (begin > end || end > dataBytes) {
    throw new Error(`tensor ${name} claims bytes ${begin}…${end} of ${dataBytes}`);
  }
  const width = ELEMENT_BYTES[dtype];
  const bytes = shape.reduce((product, dim) => product * dim, 1) * (width ?? 0);
  if (width !== undefined && bytes !== end - begin) {
    throw new Error(`tensor ${name} of [${shape.join(', ')}] ${dtype} needs ${bytes} bytes and has ${end - begin}`);
  }
  return { dtype, shape, begin, end };
}

function toFloats(dtype: string, bytes: Buffer, target: Float32Array): void {
  if (dtype === 'F32') {
    target.set(new Float32Array(bytes.buffer, bytes.byteOffset, target.length));
    return;
  }
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, target.length);
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  for (let i = 0; i < halves.length; i++) {
    if (dtype === 'BF16') {
      // bf16 is the upper half of an fp32.
      bits[0] = halves[i]! << 16;
      target[i] = float[0]!;
    } else target[i] = halfToFloat(halves[i]!);
  }
}

function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

export interface TensorToWrite {
  name: string;
  shape: readonly number[];
  data: Float32Array;
}

/** Writes fp32 tensors and waits for the disk; returns the SHA-256 of the file. */
export async function writeSafetensors(path: string, tensors: readonly TensorToWrite[]): Promise<string> {
  let offset = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const { name, shape, data } of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + data.byteLength] };
    offset += data.byteLength;
  }
  const json = Buffer.from(JSON.stringify(header));
  // Data starts at a multiple of 8, as readers that map the file expect.
  const padded = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, ' ')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const hash = createHash('sha256');
  const handle = await open(path, 'w');
  try {
    const write = async (bytes: Uint8Array) => {
      hash.update(bytes);
      await handle.writeFile(bytes);
    };
    await write(Buffer.concat([length, padded]));
    for (const { data } of tensors) {
      for (let start = 0; start < data.length; start += PIECE / 4) {
        // A copy: the weights may live in shared memory, which the file system does not take.
        await write(new Uint8Array(data.slice(start, start + PIECE / 4).buffer));
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}
