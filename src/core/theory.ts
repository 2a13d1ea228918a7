/** Section 3 as functions: how much an agent can learn from a task, and how often noise ranks two tasks the wrong way. */
import { binomialPmf } from './beta.ts';
import { type CurriculumSettings, FILTERS } from './curriculum.ts';

/** Proposition 1: E‖g‖² lies between c_min·p(1−p) and c_max·p(1−p). */
export function signalBounds(p: number, cMin = 1, cMax = 1): { lower: number; upper: number } {
  const variance = p * (1 - p);
  return { lower: cMin * variance, upper: cMax * variance };
}

/** Theorem 1: Pr(R_env(p̂₁) ≤ R_env(p̂₂)) ≤ 4·exp(−2/9·(Δ₂−Δ₁)²·n); at most 1, being a probability. */
export const misrankingBound = (delta1: number, delta2: number, n: number): number =>
  Math.min(1, 4 * Math.exp((-2 / 9) * (delta2 - delta1) ** 2 * n));

/** What Theorem 1 bounds, exactly: two tasks of true rates p₁, p₂, each estimated from n attempts. */
export function misrankingProbability(p1: number, p2: number, n: number, alpha: number): number {
  let probability = 0;
  for (let k1 = 0; k1 <= n; k1++) {
    for (let k2 = 0; k2 <= n; k2++) {
      // Rates compared as integers over n, so that equal distances are equal.
      if (Math.abs(k1 - alpha * n) - Math.abs(k2 - alpha * n) > -1e-9) {
        probability += binomialPmf(k1, n, p1) * binomialPmf(k2, n, p2);
      }
    }
  }
  return probability;
}

/** Probability that a batch of n attempts at true rate p passes the filter. */
export function survival(p: number, n: number, c: CurriculumSettings): number {
  let probability = 0;
  for (let k = 0; k <= n; k++) {
    if (FILTERS[c.filter]({ successes: k, attempts: n }, k / n, c).kept) probability += binomialPmf(k, n, p);
  }
  return probability;
}

/** Probability that a group of G attempts at true rate p has no gradient: all solved or none. */
export const zeroGradient = (p: number, rollouts: number): number => p ** rollouts + (1 - p) ** rollouts;
