import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signFlipP } from './permutation.ts';

it.each([
  [[1, 2, 3], 2 / 8],
  [[1, 2, -3], 1],
  // |sum| is 4; of ±1 ±2 ±3 the patterns 6, 4, -4, -6 reach it.
  [[-1, 2, 3], 4 / 8],
  [[1], 1],
  [[0, 0], 1],
  // Rounding makes sums that tie on paper differ in the last bit.
  [[-0.1, -0.2, -0.3], 2 / 8],
])('counts the patterns of signs at least as extreme: %j has p = %d', (differences, p) => {
  expect(signFlipP(differences)).toBe(p);
});

it('does not look at the direction or the scale, and is at least 2/2ⁿ', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 10 }), (values) => {
      const p = signFlipP(values)!;
      expect(p).toBeGreaterThanOrEqual(Math.min(1, 2 / 2 ** values.length));
      expect(signFlipP(values.map((value) => -value / 7))).toBe(p);
    }),
  );
});

it('says nothing without pairs', () => {
  expect(signFlipP([])).toBeNull();
});

/** Half of them 1, half of them -0.5: what they give exactly follows from two binomial distributions. */
const alternating = (length: number) => Array.from({ length }, (_, i) => (i % 2 === 0 ? 1 : -0.5));

it('is exact with twenty pairs', () => {
  expect(signFlipP(alternating(20))).toBeCloseTo(0.205318450927734, 12);
});

it('samples when there are too many patterns, the same way every time', () => {
  const p = signFlipP(alternating(24))!;
  expect(p).toBeCloseTo(0.15645, 2);
  expect(signFlipP(alternating(24))).toBe(p);
});
