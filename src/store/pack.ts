/**
 * Bodies: what is large and read one at a time, as one blob of JSON, int32 ids and float32 log-probs. Ids and text shrink
 * under deflate; log-probs are noise to it and stay raw, which also keeps them bit-identical. One blob holds a whole
 * group, because a zlib call costs more than the few hundred bytes of one trace.
 *
 *   u8 codec (0 raw, 1 deflate), 3 bytes 0, u32 ids, u32 log-probs │ log-probs │ codec(ids, JSON)
 *
 * Numbers are little-endian, the order of every machine Node is commonly built for.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { StoreError } from './errors.ts';

export interface Body {
  json: string;
  ints: Int32Array;
  floats: Float32Array;
}

const HEADER_BYTES = 12;
const RAW = 0;
const DEFLATE = 1;
/** Below this, deflate saves less than its call costs. */
const SMALL_BYTES = 1024;

export function pack(body: Body): Uint8Array {
  const ints = bytesOf(body.ints);
  const plain = Buffer.concat([ints, Buffer.from(body.json, 'utf8')]);
  const deflated = plain.length < SMALL_BYTES ? plain : deflateRawSync(plain, { level: 1 });
  const codec = deflated.length < plain.length ? DEFLATE : RAW;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(codec, 0);
  header.writeUInt32LE(body.ints.length, 4);
  header.writeUInt32LE(body.floats.length, 8);
  return Buffer.concat([header, bytesOf(body.floats), codec === DEFLATE ? deflated : plain]);
}

export function unpack(packed: Uint8Array | ArrayBuffer): Body {
  const bytes = packed instanceof ArrayBuffer ? Buffer.from(packed) : bytesOf(packed);
  try {
    const intBytes = 4 * bytes.readUInt32LE(4);
    const floatBytes = 4 * bytes.readUInt32LE(8);
    const rest = bytes.subarray(HEADER_BYTES + floatBytes);
    const plain = bytes.readUInt8(0) === DEFLATE ? inflateRawSync(rest) : rest;
    return {
      json: plain.toString('utf8', intBytes),
      ints: new Int32Array(copyOf(plain, 0, intBytes)),
      floats: new Float32Array(copyOf(bytes, HEADER_BYTES, floatBytes)),
    };
  } catch (error) {
    throw new StoreError('corrupt', 'A stored body of this run is damaged and can not be unpacked.', error);
  }
}

function bytesOf(array: Int32Array | Float32Array | Uint8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/** A copy of its own: typed arrays need an aligned start, and a view would keep the whole body alive. */
function copyOf(bytes: Buffer, start: number, length: number): ArrayBuffer {
  const copy = new ArrayBuffer(length);
  Buffer.from(copy).set(bytes.subarray(start, start + length));
  if (start + length > bytes.length) throw new RangeError('body too short');
  return copy;
}
