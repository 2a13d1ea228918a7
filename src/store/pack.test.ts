import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack, unpack } from './pack.ts';
import { decodeVarints, encodeVarints } from './varint.ts';

it('brings any JSON, ids and log-probs back, small or large', () => {
  const floats = fc.float32Array({ maxLength: 50 });
  const json = fc.string({ maxLength: 3000, unit: 'grapheme' });
  fc.assert(
    fc.property(json, fc.int32Array({ maxLength: 300 }), floats, (json, ints, floats) => {
      const body = { json, ints, floats };
      expect(unpack(pack(body))).toEqual(body);
    }),
  );
});

it('writes an id in as many bytes as it needs', () => {
  const sizes = [0, 127, 128, 16_383, 151_643, 2 ** 31 - 1, -1].map((id) => encodeVarints(Int32Array.of(id)).length);
  expect(sizes).toEqual([1, 1, 2, 2, 3, 5, 5]);
});

it('makes long JSON shorter', () => {
  const body = {
    json: JSON.stringify('the same words '.repeat(200)),
    ints: new Int32Array(0),
    floats: new Float32Array(0),
  };
  expect(pack(body).length).toBeLessThan(200);
});

it('says so when a body is damaged', () => {
  const packed = pack({ json: 'x'.repeat(5000), ints: Int32Array.of(1, 2, 3), floats: Float32Array.of(1, 2) });
  for (const length of [0, 5, 17, 25, packed.length - 2]) {
    expect(() => unpack(packed.subarray(0, length))).toThrow(/damaged/);
  }
  expect(() => decodeVarints(Uint8Array.of(1, 0x80), 2)).toThrow(/too early/);
});
