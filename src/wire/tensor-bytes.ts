/** Arrays as little-endian bytes and back. On a big-endian machine nothing here would be true, and none runs Node. */
import type { Dtype, Numbers } from './messages.ts';
import { WireError } from './proto-reader.ts';

/** Types of elements on the protobuf wire. */
export const DTYPE = { float32: 1, int64: 2, int32: 3, bfloat16: 4 } as const;

const WIDTH: Readonly<Record<number, number>> = { 1: 4, 2: 8, 3: 4, 4: 2 };

/** The public dtype of a wire type: narrow ones are widened on the way. */
export function dtypeOf(wireType: number): Dtype {
  if (wireType === DTYPE.float32 || wireType === DTYPE.bfloat16) return 'float32';
  if (wireType === DTYPE.int64 || wireType === DTYPE.int32) return 'int64';
  throw new WireError(`protobuf: dtype ${wireType} is not known (1 float32, 2 int64, 3 int32, 4 bfloat16)`);
}

export function elementWidth(wireType: number): number {
  dtypeOf(wireType);
  return WIDTH[wireType]!;
}

export function readElements(bytes: Uint8Array, wireType: number): Numbers {
  const width = elementWidth(wireType);
  if (bytes.length % width !== 0)
    throw new WireError(`protobuf: ${bytes.length} bytes are no whole number of ${width}-byte elements`);
  // A copy: views need alignment, and the message may be reused. Not by slice, which on Node's Buffer is a view.
  const { buffer } = new Uint8Array(bytes);
  if (wireType === DTYPE.float32) return new Float32Array(buffer);
  if (wireType === DTYPE.int32) return new Int32Array(buffer);
  if (wireType === DTYPE.bfloat16) return widen(new Uint16Array(buffer));
  return readInt64(new Int32Array(buffer));
}

/** The array's own bytes where it is of the kind already. Not by `from`, which asks for one element after the other. */
export const float32Bytes = (data: Numbers): Uint8Array =>
  bytesOf(data instanceof Float32Array ? data : new Float32Array(data));
export const int32Bytes = (data: Numbers): Uint8Array =>
  bytesOf(data instanceof Int32Array ? data : new Int32Array(data));

/** In halves: numbers that are exact need no big integers on the way. */
export function int64Bytes(data: Numbers): Uint8Array {
  const halves = new Int32Array(2 * data.length);
  for (let i = 0; i < data.length; i++) {
    halves[2 * i] = data[i]!;
    halves[2 * i + 1] = Math.floor(data[i]! / 2 ** 32);
  }
  return bytesOf(halves);
}

function readInt64(halves: Int32Array): Float64Array {
  const out = new Float64Array(halves.length / 2);
  for (let i = 0; i < out.length; i++) {
    const value = halves[2 * i + 1]! * 2 ** 32 + (halves[2 * i]! >>> 0);
    if (!Number.isSafeInteger(value)) throw new WireError(`protobuf: ${value} is too large to be exact`);
    out[i] = value;
  }
  return out;
}

export function elementBytes(data: Numbers, dtype: Dtype): Uint8Array {
  return dtype === 'float32' ? float32Bytes(data) : int64Bytes(data);
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** bfloat16 is the upper half of a float32. */
function widen(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
}

export function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
