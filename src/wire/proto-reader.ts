/** The protobuf wire format, read: the fields of one message in their order. What it means is the caller's business. */

export class WireError extends Error {
  override readonly name = 'WireError';
}

export interface Field {
  number: number;
  /** 0 varint, 1 eight bytes, 2 a length and that many bytes, 5 four bytes. */
  wire: number;
  /** Of a varint: as a signed 64-bit integer. */
  value: number;
  /** Of everything else; a view, not a copy. */
  bytes: Uint8Array;
}

const NOTHING = new Uint8Array();

export function* fields(message: Uint8Array): Generator<Field> {
  const cursor = { at: 0 };
  while (cursor.at < message.length) {
    const tag = varint(message, cursor);
    const number = Math.floor(tag / 8);
    const wire = tag & 7;
    if (number < 1 || number > 0x1fffffff) throw new WireError(`protobuf: ${tag} is no field`);
    if (wire === 0) yield { number, wire, value: varint(message, cursor), bytes: NOTHING };
    else yield { number, wire, value: 0, bytes: span(message, cursor, lengthOf(wire, message, cursor)) };
  }
}

/** All varints of a packed field. */
export function packedVarints(bytes: Uint8Array): number[] {
  const cursor = { at: 0 };
  const values: number[] = [];
  while (cursor.at < bytes.length) values.push(varint(bytes, cursor));
  return values;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new WireError('protobuf: a string is not UTF-8');
  }
}

export function double({ bytes }: Field): number {
  if (bytes.length !== 8) throw new WireError('protobuf: a double has 8 bytes');
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
}

function lengthOf(wire: number, message: Uint8Array, cursor: { at: number }): number {
  if (wire === 2) return varint(message, cursor);
  if (wire === 1) return 8;
  if (wire === 5) return 4;
  throw new WireError(`protobuf: wire type ${wire} is not in use`);
}

function span(message: Uint8Array, cursor: { at: number }, length: number): Uint8Array {
  const end = cursor.at + length;
  if (length < 0 || end > message.length) {
    throw new WireError(`protobuf: a field of ${length} bytes at ${cursor.at} runs past the end at ${message.length}`);
  }
  const bytes = message.subarray(cursor.at, end);
  cursor.at = end;
  return bytes;
}

function varint(message: Uint8Array, cursor: { at: number }): number {
  let low = 0;
  let high = 0n;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = message[cursor.at++];
    if (byte === undefined) throw new WireError('protobuf: the message ends inside a number');
    // 28 bits fit an ordinary integer; only what is longer pays for a big one.
    if (shift < 28) low |= (byte & 127) << shift;
    else high |= BigInt(byte & 127) << BigInt(shift);
    if (byte < 128) return high === 0n ? low : signed(high | BigInt(low));
  }
  throw new WireError('protobuf: a number has more than ten bytes');
}

function signed(bits: bigint): number {
  const value = Number(BigInt.asIntN(64, bits));
  if (!Number.isSafeInteger(value)) throw new WireError(`protobuf: ${value} is too large to be exact`);
  return value;
}
