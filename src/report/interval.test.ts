import { describe, expect, it } from 'vitest';
import { bounded, estimate, estimateShare, SHARE, tQuantile } from './interval.ts';

describe('the 95 % interval of a mean', () => {
  it('is the one worked by hand', () => {
    // mean 3, s = √2.5, half = 2.77645 · √(2.5 / 5)
    const { n, mean, halfWidth, interval } = estimate([1, 2, 3, 4, 5])!;
    expect([mean, n]).toEqual([3, 5]);
    expect(halfWidth).toBeCloseTo(1.96324, 4);
    expect(interval).toEqual([3 - halfWidth!, 3 + halfWidth!]);
  });

  it('is absent for one number, and nothing is estimated from none', () => {
    expect(estimate([0.4])).toEqual({ n: 1, mean: 0.4, halfWidth: null, interval: null });
    expect(estimate([])).toBeNull();
  });

  it('ends where a share ends, while its half-width stays what it was', () => {
    const share = estimateShare([0.9, 1, 1])!;
    expect(share.interval![1]).toBe(1);
    expect(share.mean + share.halfWidth!).toBeGreaterThan(1);
    expect(bounded(estimate([0.4])!, SHARE)).toEqual(estimate([0.4]));
  });

  it.each([
    [1, 12.7062],
    [2, 4.30265],
    [4, 2.77645],
    [9, 2.26216],
    [20, 2.08596],
    [30, 2.04227],
    [1000, 1.96234],
  ])('takes the quantile of the t-distribution with %d degrees of freedom from the tables', (degrees, t) => {
    expect(tQuantile(degrees)).toBeCloseTo(t, 4);
    expect(tQuantile(degrees)).toBe(tQuantile(degrees));
  });
});
