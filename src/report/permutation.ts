/** How often chance alone gives paired differences as large as these: the sign of each pair flipped at random. */
import { createRng } from '../core/rng.ts';

/** Up to so many pairs every pattern of signs is counted; beyond, a fixed sample of them stands for all. */
const EXACT = 20;
const SAMPLES = 100_000;

/**
 * Two-sided p-value of the mean difference, or null without pairs. If the arms were alike, each difference could as well
 * have had the other sign. With n pairs it cannot be less than 2 / 2ⁿ: 0.0625 for 5 seeds.
 */
export function signFlipP(differences: readonly number[]): number | null {
  const n = differences.length;
  const [first] = differences;
  if (first === undefined) return null;
  const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
  // Sums in another order differ in the last bit; a pattern that ties with what was seen must count.
  const atLeast = observed - 1e-9 * differences.reduce((sum, d) => sum + Math.abs(d), 0);
  const isExtreme = (sum: number) => Math.abs(sum) >= atLeast;
  if (n <= EXACT) {
    const extremes = (from: number, sum: number): number => {
      const next = differences[from];
      if (next === undefined) return isExtreme(sum) ? 1 : 0;
      return extremes(from + 1, sum + next) + extremes(from + 1, sum - next);
    };
    // The first sign stays: the patterns with the other one are mirror images.
    return extremes(1, first) / 2 ** (n - 1);
  }
  const rng = createRng('sign-flip');
  let hits = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    if (isExtreme(differences.reduce((sum, d) => sum + (rng.next() < 0.5 ? -d : d), 0))) hits++;
  }
  // What was seen is one of the patterns.
  return (hits + 1) / (SAMPLES + 1);
}
