import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LETTER } from '../../test/paper/letter.ts';
import { createRng } from './rng.ts';
import { misrankingBound, misrankingProbability, signalBounds, survival, zeroGradient } from './theory.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const attempts = fc.integer({ min: 1, max: 40 });

describe('survival', () => {
  it.each([
    // Only k = 2 of 4 passes: 6·p²(1−p)².
    [0.5, 4, 0.375],
    [0.138, 4, 0.084903179616],
    // k = 4, 5, 6 of 10: (210 + 252 + 210)/1024.
    [0.5, 10, 672 / 1024],
    [0, 4, 0],
    [1, 4, 0],
    // One attempt is never half right.
    [0.5, 1, 0],
  ])('at p = %d with %d attempts is %d under the strict filter', (p, n, want) => {
    expect(survival(p, n, LETTER)).toBeCloseTo(want, 10);
  });

  it('is a probability, 1 without a filter, and larger with a wider band', () => {
    fc.assert(
      fc.property(unit, attempts, fc.constantFrom('strict', 'soft'), (p, n, filter) => {
        const [narrow, wide] = [0.1, 0.3].map((kMin) => survival(p, n, { ...LETTER, filter, kMin })) as [
          number,
          number,
        ];
        expect(narrow >= 0 && wide <= 1 + 1e-9).toBe(true);
        if (filter === 'strict') expect(narrow).toBeLessThanOrEqual(wide + 1e-12);
        expect(survival(p, n, { ...LETTER, filter: 'none' })).toBeCloseTo(1, 9);
      }),
    );
  });

  it('tends to 1 inside the band and to 0 outside as attempts grow', () => {
    expect(survival(0.5, 1000, LETTER)).toBeGreaterThan(0.999);
    expect(survival(0.7, 1000, LETTER)).toBeLessThan(1e-6);
  });
});

describe('misrankingProbability', () => {
  it('is a probability, and with its mirror image and ties counted twice covers everything', () => {
    fc.assert(
      fc.property(unit, unit, attempts, (p, q, n) => {
        const [there, back] = [misrankingProbability(p, q, n, 0.5), misrankingProbability(q, p, n, 0.5)];
        for (const x of [there, back]) expect(x >= 0 && x <= 1 + 1e-9).toBe(true);
        expect(there + back).toBeGreaterThanOrEqual(1 - 1e-9);
      }),
    );
  });

  it('stays under the bound for any two rates, α and n', () => {
    fc.assert(
      fc.property(unit, unit, unit, attempts, (p, q, alpha, n) => {
        const [p1, p2] = Math.abs(p - alpha) <= Math.abs(q - alpha) ? [p, q] : [q, p];
        const bound = misrankingBound(Math.abs(p1 - alpha), Math.abs(p2 - alpha), n * 10);
        expect(misrankingProbability(p1, p2, n * 10, alpha)).toBeLessThanOrEqual(bound + 1e-9);
      }),
      { numRuns: 40 },
    );
  });
});

describe('misrankingBound', () => {
  it('is at most 1, and falls with attempts and with the gap', () => {
    const distance = fc.double({ min: 0, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(distance, distance, fc.nat(5000), (d1, gap, n) => {
        const at = (gap: number, n: number) => misrankingBound(d1, d1 + gap, n);
        expect(at(gap, n)).toBeLessThanOrEqual(1);
        expect(at(gap, n + 50)).toBeLessThanOrEqual(at(gap, n));
        expect(at(gap + 0.1, n)).toBeLessThanOrEqual(at(gap, n));
      }),
    );
  });
});

it('signalBounds are symmetric about one half and scale with the score', () => {
  fc.assert(
    fc.property(unit, (p) => {
      expect(signalBounds(p).upper).toBeCloseTo(signalBounds(1 - p).upper, 14);
      expect(signalBounds(p, 2, 3)).toEqual({ lower: 2 * (p * (1 - p)), upper: 3 * (p * (1 - p)) });
    }),
  );
});

it('zeroGradient is how often simulated groups are all solved or all failed', () => {
  for (const p of [0.1, 0.5, 0.9]) {
    const rng = createRng('groups').fork(p);
    const trials = 20_000;
    let flat = 0;
    for (let i = 0; i < trials; i++) {
      let k = 0;
      for (let g = 0; g < 4; g++) if (rng.next() < p) k++;
      if (k === 0 || k === 4) flat++;
    }
    expect(Math.abs(flat / trials - zeroGradient(p, 4))).toBeLessThan(0.015);
  }
});
