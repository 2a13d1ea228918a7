/**
 * Bodies: what is large and read one at a time, as one blob of JSON, int32 ids and float32 log-probs. JSON is deflated, ids
 * are written short, and log-probs stay as they are: to any compressor they are noise. One blob holds a whole group,
 * because a call of zlib costs more than the few hundred bytes of one trace.
 *
 *   u8 codec of the JSON (0 raw, 1 deflate), 3 bytes 0, u32 ids, u32 bytes of ids, u32 log-probs │ log-probs │ ids │ JSON
 *
 * Numbers are little-endian, the order of every machine Node is commonly built for.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { StoreError } from './errors.ts';
import { decodeVarints, encodeVarints } from './varint.ts';

export interface Body {
  json: string;
  ints: Int32Array;
  floats: Float32Array;
}

const HEADER_BYTES = 16;
const RAW = 0;
const DEFLATE = 1;
/** Below this, deflate saves less than its call costs. */
const SMALL_BYTES = 2048;

export function pack(body: Body): Uint8Array {
  const plain = Buffer.from(body.json, 'utf8');
  const deflated = plain.length < SMALL_BYTES ? plain : deflateRawSync(plain, { level: 1 });
  const codec = deflated.length < plain.length ? DEFLATE : RAW;
  const ids = encodeVarints(body.ints);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(codec, 0);
  header.writeUInt32LE(body.ints.length, 4);
  header.writeUInt32LE(ids.length, 8);
  header.writeUInt32LE(body.floats.length, 12);
  return Buffer.concat([header, bytesOf(body.floats), ids, codec === DEFLATE ? deflated : plain]);
}

export function unpack(packed: ArrayBuffer | Uint8Array): Body {
  return read(packed, (bytes, jsonStart) => {
    const json = bytes.subarray(jsonStart);
    return { json: (bytes.readUInt8(0) === DEFLATE ? inflateRawSync(json) : json).toString('utf8') };
  });
}

/** Ids and log-probs without the JSON, which is what inflating and parsing would be spent on. */
export const unpackNumbers = (packed: ArrayBuffer | Uint8Array): Omit<Body, 'json'> => read(packed, () => ({}));

function read<Rest>(
  packed: ArrayBuffer | Uint8Array,
  rest: (bytes: Buffer, jsonStart: number) => Rest,
): Omit<Body, 'json'> & Rest {
  const bytes = packed instanceof ArrayBuffer ? Buffer.from(packed) : bytesOf(packed);
  try {
    const idsStart = HEADER_BYTES + 4 * bytes.readUInt32LE(12);
    const jsonStart = idsStart + bytes.readUInt32LE(8);
    if (jsonStart > bytes.length) throw new RangeError('body too short');
    return {
      ints: decodeVarints(bytes.subarray(idsStart, jsonStart), bytes.readUInt32LE(4)),
      // A copy: floats need an aligned start, and a view would keep the whole body alive.
      floats: new Float32Array(Uint8Array.from(bytes.subarray(HEADER_BYTES, idsStart)).buffer),
      ...rest(bytes, jsonStart),
    };
  } catch (error) {
    throw new StoreError('corrupt', 'A stored body of this run is damaged and can not be unpacked.', error);
  }
}

function bytesOf(array: Float32Array | Uint8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
