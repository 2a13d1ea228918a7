/** Theorem 1: Pr(R_env(p̂₁) ≤ R_env(p̂₂)) ≤ 4·exp(−2/9·(Δ₂−Δ₁)²·n), exactly and in simulation. */
import { describe, expect, it } from 'vitest';
import { envReward } from '../../src/core/curriculum.ts';
import { createRng, type Rng } from '../../src/core/rng.ts';
import { misrankingBound, misrankingProbability } from '../../src/core/theory.ts';

/** Task 1 is closer to α than task 2. */
const pairs = (alpha: number) => {
  const rates = [0.05, 0.2, 0.4, 0.5, 0.7, 0.95];
  return rates.flatMap((p1) =>
    rates.flatMap((p2) => {
      const [delta1, delta2] = [Math.abs(p1 - alpha), Math.abs(p2 - alpha)];
      return delta2 - delta1 > 1e-9 ? [{ alpha, p1, p2, delta1, delta2 }] : [];
    }),
  );
};
const grid = [0.3, 0.5, 0.8].flatMap(pairs);

const rate = (p: number, n: number, rng: Rng) => {
  let k = 0;
  for (let i = 0; i < n; i++) if (rng.next() < p) k++;
  return k / n;
};

describe('the bound', () => {
  it.each([
    // Δ₁ = 0, Δ₂ = 0.4: 2/9·0.16 = 0.0355556; n = 100: 4·e^(−3.55556).
    [0, 0.4, 100, 0.1142620031382015],
    // n = 4: 4·e^(−0.142222) = 3.47 says nothing, so the bound is 1.
    [0, 0.4, 4, 1],
    // Equal distances carry no guarantee.
    [0.2, 0.2, 1e6, 1],
  ])('Δ₁ = %d, Δ₂ = %d, n = %d: at most %d', (delta1, delta2, n, bound) => {
    expect(misrankingBound(delta1, delta2, n)).toBeCloseTo(bound, 14);
  });
});

describe('the exact probability', () => {
  it('is 1 at n = 1, α = ½: p̂ is 0 or 1, both as far away, and a tie is a mis-ranking', () => {
    expect(misrankingProbability(0.5, 0.9, 1, 0.5)).toBeCloseTo(1, 12);
  });

  // n = 2, p₁ = ½, p₂ = 1: p̂₂ = 1 is ½ away; p̂₁ is as far with probability ¼ + ¼.
  it('is 1/2 at n = 2, p₁ = ½, p₂ = 1', () => {
    expect(misrankingProbability(0.5, 1, 2, 0.5)).toBeCloseTo(0.5, 12);
  });

  it('stays under the bound on the whole grid', () => {
    let informative = 0;
    for (const { p1, p2, delta1, delta2, alpha } of grid) {
      for (const n of [1, 4, 8, 32, 100]) {
        const bound = misrankingBound(delta1, delta2, n);
        if (bound < 1) informative++;
        expect(misrankingProbability(p1, p2, n, alpha)).toBeLessThanOrEqual(bound + 1e-9);
      }
    }
    expect(informative).toBeGreaterThan(20);
  });

  it('goes to 0 exponentially: the ranking is consistent', () => {
    const [few, some, many] = [16, 64, 256].map((n) => misrankingProbability(0.5, 0.75, n, 0.5)) as [
      number,
      number,
      number,
    ];
    expect(some).toBeLessThan(few / 2);
    expect(many).toBeLessThan(some / 100);
  });
});

describe('simulated attempts', () => {
  const trials = 1500;
  const misranked = (p1: number, n1: number, p2: number, n2: number, alpha: number, rng: Rng) => {
    let count = 0;
    for (let i = 0; i < trials; i++) {
      // Rates of equal distance may differ in the last bit; the theorem counts them as mis-ranked.
      const [r1, r2] = [rate(p1, n1, rng), rate(p2, n2, rng)].map((p) => envReward(p, { alpha, beta: 2 }));
      if (r1! <= r2! + 1e-12) count++;
    }
    return count / trials;
  };

  it('mis-rank as often as the exact probability says, and no more than the bound', () => {
    for (const [i, { p1, p2, delta1, delta2, alpha }] of grid.entries()) {
      for (const n of [4, 32, 100]) {
        const observed = misranked(p1, n, p2, n, alpha, createRng('theorem').fork(i, n));
        const exact = misrankingProbability(p1, p2, n, alpha);
        // Five standard errors, and a trial's worth for the rarest.
        const slack = 5 * Math.sqrt((exact * (1 - exact)) / trials) + 1 / trials;
        expect(Math.abs(observed - exact)).toBeLessThanOrEqual(slack);
        expect(observed).toBeLessThanOrEqual(misrankingBound(delta1, delta2, n) + slack);
      }
    }
  });

  it('obey the bound at n = min(n₁, n₂) when the two are tried unequally often', () => {
    for (const [i, { p1, p2, delta1, delta2, alpha }] of pairs(0.5).entries()) {
      for (const [n1, n2] of [
        [50, 120],
        [120, 50],
      ] as const) {
        const observed = misranked(p1, n1, p2, n2, alpha, createRng('unequal').fork(i, n1));
        expect(observed).toBeLessThanOrEqual(misrankingBound(delta1, delta2, 50) + 0.05);
      }
    }
  });
});
