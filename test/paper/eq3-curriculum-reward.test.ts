/** Eq. 3 by hand: R_env(p̂) = exp(−β(p̂ − α)²), the filter |p̂ − α| ≤ k_min, and weights ∝ exp(λ·R_env). */
import { describe, expect, it } from 'vitest';
import { appraise, bandMass, envReward, rwrWeights } from '../../src/core/curriculum.ts';
import { LETTER } from './letter.ts';

const outOf = (attempts: number, ...successes: number[]) => successes.map((k) => ({ successes: k, attempts }));

describe('Eq. 3', () => {
  it.each([
    // β (p̂ − ½)²: 0, 2·1/16 = 1/8, 2·1/4 = 1/2, and the same with β = 4: 1/4, 1.
    [2, 0.5, 1],
    [2, 0.25, 0.8824969025845955],
    [2, 0.75, 0.8824969025845955],
    [2, 0, 0.6065306597126334],
    [2, 1, 0.6065306597126334],
    [4, 0.25, 0.7788007830714049],
    [4, 0, 0.36787944117144233],
  ])('β = %d, p̂ = %d gives %d', (beta, rate, reward) => {
    expect(envReward(rate, { alpha: 0.5, beta })).toBeCloseTo(reward, 14);
  });
});

describe('the difficulty filter', () => {
  it('keeps 0.4, 0.5 and 0.6 out of tenths, the ends of the band included', () => {
    const kept = appraise(outOf(10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), LETTER).map((a) => a.kept);
    expect(kept.flatMap((k, tenths) => (k ? [tenths] : []))).toEqual([4, 5, 6]);
  });

  it('keeps only p̂ = 1/2 at n = 4, where every survivor has R_env = 1 and β and λ do nothing', () => {
    const appraisals = appraise(outOf(4, 0, 1, 2, 2, 3, 4), LETTER);
    expect(appraisals.map((a) => a.kept)).toEqual([false, false, true, true, false, false]);
    for (const lambda of [0, 1, 50]) expect(rwrWeights(appraisals, lambda)).toEqual([0, 0, 1, 1, 0, 0]);
  });
});

describe('RWR weights ∝ exp(λ·R_env)', () => {
  // p̂ = 0.4, 0.5, 0.6 survive; 0.3 does not.     R: e^(−0.02) = 0.9801987, 1, 0.9801987
  // exp(R): 2.6649857, 2.7182818, 2.6649857, sum 8.0482531; times 3/8.0482531 for mean 1:
  it('are 0.99338, 1.01324, 0.99338 for λ = 1', () => {
    const weights = rwrWeights(appraise(outOf(10, 3, 4, 5, 6), LETTER), 1);
    [0, 0.9933779198109887, 1.0132441603780227, 0.9933779198109887].forEach((want, i) => {
      expect(weights[i]).toBeCloseTo(want, 12);
    });
  });

  it('stand in the ratio exp(λ·(R₁ − R₂))', () => {
    const appraisals = appraise(outOf(10, 4, 5), LETTER);
    const [at4, at5] = rwrWeights(appraisals, 3);
    expect(at5! / at4!).toBeCloseTo(Math.exp(3 * (1 - Math.exp(-0.02))), 12);
  });
});

describe('the posterior form P(|p − α| ≤ k_min | data), α = 0.5, k_min = 0.1', () => {
  it.each([
    // No data: the uniform prior, width 0.2.
    [0, 0, 0.2],
    // Beta(2, 1): x² from 0.4 to 0.6 = 0.36 − 0.16.
    [1, 1, 0.2],
    // Beta(2, 2): 3x² − 2x³ = 0.648 − 0.352.
    [1, 2, 0.296],
    // Beta(3, 3): 10x³ − 15x⁴ + 6x⁵ = 0.68256 − 0.31744.
    [2, 4, 0.36512],
    // Beta(1, 5): 1 − (1 − x)⁵: 0.6⁵ − 0.4⁵ = 0.07776 − 0.01024.
    [0, 4, 0.06752],
  ])('%d of %d: %d', (successes, attempts, mass) => {
    expect(bandMass({ successes, attempts }, LETTER)).toBeCloseTo(mass, 12);
  });

  // Against the best that 4 attempts can show, 0.36512:  k = 2: 1;  k = 1: 0.24992/0.36512 = 0.68449;  k = 0: 0.18493.
  it('opens the soft gate by degrees and keeps from a quarter open', () => {
    const soft = appraise(outOf(4, 0, 1, 2, 3, 4), { ...LETTER, filter: 'soft' });
    [0.1849255, 0.6844873, 1, 0.6844873, 0.1849255].forEach((gate, k) => {
      expect(soft[k]!.gate).toBeCloseTo(gate, 7);
    });
    expect(soft.map((a) => a.kept)).toEqual([false, true, true, true, false]);
  });
});
