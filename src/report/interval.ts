/** The mean of a few numbers and its 95 % interval, after Student. */
import { betaCdf } from '../core/beta.ts';

export interface Estimate {
  n: number;
  mean: number;
  /** Of the interval before its ends were cut to what is possible; null for a single number, which says nothing about its spread. */
  halfWidth: number | null;
  /** Ends of the 95 % interval; null where there is no half-width. */
  interval: readonly [low: number, high: number] | null;
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
  if (n === 1) return { n, mean, halfWidth: null, interval: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const halfWidth = tQuantile(n - 1) * Math.sqrt(variance / n);
  return { n, mean, halfWidth, interval: [mean - halfWidth, mean + halfWidth] };
}

/** Of success rates. */
export function estimateShare(values: readonly number[]): Estimate | null {
  const free = estimate(values);
  return free && bounded(free, SHARE);
}

/** By degrees of freedom: every point of every curve asks, and there are as few as there are numbers of seeds. */
const quantiles = new Map<number, number>();

/** The t that |T| exceeds with probability 0.05: 12.706 for 1 degree of freedom, 2.776 for 4, 1.960 for many. */
export function tQuantile(degrees: number): number {
  const known = quantiles.get(degrees);
  if (known !== undefined) return known;
  const beyond = (t: number) => betaCdf(degrees / (degrees + t * t), degrees / 2, 0.5);
  let [low, high] = [0, 13];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > 0.05) low = middle;
    else high = middle;
  }
  quantiles.set(degrees, high);
  return high;
}
