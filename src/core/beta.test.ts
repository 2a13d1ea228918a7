import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, binomialPmf, logGamma } from './beta.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const shape = fc.double({ min: 0.5, max: 300, noNaN: true });

describe('logGamma', () => {
  it('is ln (n−1)! at the integers', () => {
    for (let n = 1, factorial = 1; n <= 20; factorial *= n++) expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 11);
  });

  it('is ln √π at one half, and obeys Γ(x+1) = x·Γ(x)', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e4, noNaN: true }), (x) => {
        const [got, want] = [logGamma(x + 1), logGamma(x) + Math.log(x)];
        expect(Math.abs(got - want)).toBeLessThan(1e-12 * (1 + Math.abs(want)));
      }),
    );
  });
});

describe('betaCdf', () => {
  it.each<[string, number, number, (x: number) => number]>([
    ['uniform', 1, 1, (x) => x],
    ['x²', 2, 1, (x) => x * x],
    ['1 − (1−x)⁵', 1, 5, (x) => 1 - (1 - x) ** 5],
    ['3x² − 2x³', 2, 2, (x) => 3 * x ** 2 - 2 * x ** 3],
    ['arcsine law', 0.5, 0.5, (x) => (2 / Math.PI) * Math.asin(Math.sqrt(x))],
  ])('is known in closed form: %s for Beta(%d, %d)', (_, a, b, cdf) => {
    for (let x = 0; x <= 1; x += 1 / 64) expect(betaCdf(x, a, b)).toBeCloseTo(cdf(x), 12);
  });

  it('agrees with Simpson’s rule over the density', () => {
    for (const [a, b] of [
      [2.5, 3],
      [9, 25],
      [40, 7],
      [120, 130.5],
    ] as const) {
      const scale = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b));
      const density = (x: number) => scale * x ** (a - 1) * (1 - x) ** (b - 1);
      const steps = 4096;
      let area = 0;
      for (let i = 0; i < steps; i++) {
        const [left, right] = [i / steps, (i + 1) / steps];
        area += (density(left) + 4 * density((left + right) / 2) + density(right)) / (6 * steps);
        if (i % 256 === 255) expect(betaCdf(right, a, b)).toBeCloseTo(area, 8);
      }
    }
  });

  it('is the upper tail of the binomial at whole shapes: P(Beta(k, n−k+1) ≤ p) = P(Bin(n, p) ≥ k)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), unit, unit, (n, at, p) => {
        const k = 1 + Math.min(n - 1, Math.floor(at * n));
        let tail = 0;
        for (let j = k; j <= n; j++) tail += binomialPmf(j, n, p);
        expect(betaCdf(p, k, n - k + 1)).toBeCloseTo(tail, 10);
      }),
    );
  });

  it('rises from 0 to 1', () => {
    fc.assert(
      fc.property(unit, unit, shape, shape, (x, y, a, b) => {
        const [low, high] = [betaCdf(Math.min(x, y), a, b), betaCdf(Math.max(x, y), a, b)];
        expect(low >= 0 && high <= 1 + 1e-12).toBe(true);
        expect(low).toBeLessThanOrEqual(high + 1e-11);
      }),
    );
    for (const x of [-1, 0]) expect(betaCdf(x, 3, 4)).toBe(0);
    for (const x of [1, 2]) expect(betaCdf(x, 3, 4)).toBe(1);
  });

  it('is its own mirror image: F(x; a, b) = 1 − F(1−x; b, a)', () => {
    fc.assert(
      // Multiples of 2⁻²⁰, so that 1 − x is exact.
      fc.property(fc.integer({ min: 0, max: 2 ** 20 }), shape, shape, (ticks, a, b) => {
        const x = ticks / 2 ** 20;
        expect(betaCdf(x, a, b)).toBeCloseTo(1 - betaCdf(1 - x, b, a), 10);
      }),
    );
  });

  it('holds for as many attempts as an epoch makes', () => {
    for (const n of [1e3, 1e4, 1e5]) {
      const half = n / 2 + 1;
      expect(betaCdf(0.5, half, half)).toBeCloseTo(0.5, 8);
      // One standard deviation below and above a nearly normal mean.
      const sd = Math.sqrt(0.25 / (n + 3));
      expect(betaCdf(0.5 + sd, half, half) - betaCdf(0.5 - sd, half, half)).toBeCloseTo(0.6827, 3);
    }
  });
});

describe('binomialPmf', () => {
  it('sums to 1 for up to ten thousand attempts', () => {
    for (const n of [0, 1, 4, 33, 1000, 10_000]) {
      for (const p of [0, 1e-9, 0.138, 0.5, 0.999, 1]) {
        let sum = 0;
        for (let k = 0; k <= n; k++) sum += binomialPmf(k, n, p);
        expect(sum).toBeCloseTo(1, 8);
      }
    }
  });

  it.each([
    [2, 4, 0.5, 6 / 16],
    [0, 4, 0.25, 81 / 256],
    [1, 3, 0.2, 3 * 0.2 * 0.64],
    [0, 7, 0, 1],
    [7, 7, 1, 1],
    [3, 7, 1, 0],
  ])('P(K = %d of %d at %d) = %d', (k, n, p, want) => {
    expect(binomialPmf(k, n, p)).toBeCloseTo(want, 13);
  });

  it('has mean np', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), unit, (n, p) => {
        let mean = 0;
        for (let k = 0; k <= n; k++) mean += k * binomialPmf(k, n, p);
        expect(mean).toBeCloseTo(n * p, 8);
      }),
    );
  });
});
