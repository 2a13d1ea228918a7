import { expect, it } from 'vitest';
import { signFlipP } from './permutation.ts';

it('counts the patterns of signs at least as extreme, worked by hand', () => {
  expect(signFlipP([1, 2, 3])).toBe(2 / 8);
  expect(signFlipP([1, 2, -3])).toBe(1);
  // |sum| is 4; of ±1 ±2 ±3 the patterns 6, 4, -4, -6 reach it.
  expect(signFlipP([-1, 2, 3])).toBe(4 / 8);
});

it('cannot be less than 2 / 2^n, and says nothing without pairs', () => {
  expect(signFlipP([0.1, 0.2, 0.3, 0.1, 0.2])).toBe(2 / 32);
  expect(signFlipP([])).toBeNull();
});

it('counts ties in spite of rounding', () => {
  expect(signFlipP([0.1, 0.2, 0.3].map((d) => -d))).toBe(2 / 8);
  expect(signFlipP([0, 0])).toBe(1);
});

it('samples when there are too many patterns, the same way every time', () => {
  const differences = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 1 : -0.5));
  const p = signFlipP(differences)!;
  // Exactly, from two binomial distributions.
  expect(p).toBeCloseTo(0.2053, 2);
  expect(signFlipP(differences)).toBe(p);
});
