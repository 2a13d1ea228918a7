/** How often chance alone gives paired differences as large as these: the sign of each pair flipped at random. */
import { createRng } from '../core/rng.ts';

/** Up to here every pattern of signs is counted; beyond, a fixed sample of them stands for all. */
const EXACT = 16;
const SAMPLES = 100_000;

/** Two-sided p-value of the mean difference, or null without pairs. With n pairs it cannot be less than 2 / 2^n. */
export function signFlipP(differences: readonly number[]): number | null {
  const n = differences.length;
  if (n === 0) return null;
  const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
  // Sums in another order differ in the last bit; a pattern that ties with what was seen must count.
  const atLeast = observed - 1e-9 * differences.reduce((sum, d) => sum + Math.abs(d), 0);
  const extreme = (flipped: (i: number) => boolean) =>
    Math.abs(differences.reduce((sum, d, i) => sum + (flipped(i) ? -d : d), 0)) >= atLeast;
  let hits = 0;
  if (n <= EXACT) {
    for (let pattern = 0; pattern < 2 ** n; pattern++) if (extreme((i) => ((pattern >> i) & 1) === 1)) hits++;
    return hits / 2 ** n;
  }
  const rng = createRng('sign-flip');
  for (let sample = 0; sample < SAMPLES; sample++) if (extreme(() => rng.next() < 0.5)) hits++;
  // What was seen is one of the patterns.
  return (hits + 1) / (SAMPLES + 1);
}
