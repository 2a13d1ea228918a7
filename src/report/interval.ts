/** The mean of a few numbers and its 95 % interval, after Student. */

export interface Estimate {
  mean: number;
  /** Ends of the 95 % interval; null for a single number, which says nothing about its spread. */
  interval: readonly [low: number, high: number] | null;
  n: number;
}

/** Where a share, and where an amount, can lie. */
export const SHARE: readonly [number, number] = [0, 1];
export const AMOUNT: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

/** Student's interval knows no bounds; what is measured has some, and a value outside them needs no covering. */
export function bounded<T extends Estimate>(estimate: T, [low, high]: readonly [number, number]): T {
  const { interval } = estimate;
  return interval ? { ...estimate, interval: [Math.max(low, interval[0]), Math.min(high, interval[1])] } : estimate;
}

/** Null without a number. */
export function estimate(values: readonly number[]): Estimate | null {
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  if (n === 1) return { mean, interval: null, n };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const half = studentQuantile(n - 1) * Math.sqrt(variance / n);
  return { mean, interval: [mean - half, mean + half], n };
}

/** Of success rates. */
export function estimateShare(values: readonly number[]): Estimate | null {
  const free = estimate(values);
  return free && bounded(free, SHARE);
}

/** The 97.5 % quantile of Student's t, for 1 to 10 degrees of freedom: there a series is too coarse. */
const QUANTILES = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281];

/** Above 10 degrees the Cornish-Fisher series about the normal quantile is right to four digits. */
export function studentQuantile(degrees: number): number {
  const tabled = QUANTILES[degrees - 1];
  if (tabled !== undefined) return tabled;
  const z = 1.959964;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}
