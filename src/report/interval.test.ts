import { describe, expect, it } from 'vitest';
import { estimate, studentQuantile } from './interval.ts';

describe('the 95 % interval of a mean', () => {
  it('is the one worked by hand', () => {
    // mean 3, s = sqrt(2.5), half = 2.7764 · sqrt(2.5 / 5)
    const { mean, interval, n } = estimate([1, 2, 3, 4, 5])!;
    expect([mean, n]).toEqual([3, 5]);
    expect(interval![0]).toBeCloseTo(3 - 1.96322, 4);
    expect(interval![1]).toBeCloseTo(3 + 1.96322, 4);
  });

  it('is absent for one number, and nothing is estimated from none', () => {
    expect(estimate([0.4])).toEqual({ mean: 0.4, interval: null, n: 1 });
    expect(estimate([])).toBeNull();
  });

  it('uses quantiles that agree with the tables past those it stores', () => {
    expect(studentQuantile(1)).toBe(12.7062);
    expect(studentQuantile(11)).toBeCloseTo(2.201, 3);
    expect(studentQuantile(20)).toBeCloseTo(2.086, 3);
    expect(studentQuantile(1000)).toBeCloseTo(1.9623, 3);
  });
});
