import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, linear, niceRange, ticks, wholeTicks } from './scale.ts';

describe('a linear scale', () => {
  it('maps the ends of the domain to the ends of the range, in either direction', () => {
    const y = linear([0, 1], [200, 20]);
    expect([y(0), y(0.5), y(1)]).toEqual([200, 110, 20]);
  });

  it('stops at the edges', () => {
    expect(linear([0, 1], [0, 100])(1.2)).toBe(100);
    expect(linear([0, 1], [0, 100])(-3)).toBe(0);
  });

  it('puts everything at the start of the range when the domain is a point', () => {
    expect(linear([4, 4], [10, 90])(4)).toBe(10);
  });
});

describe('ticks', () => {
  it('are round numbers without rounding noise', () => {
    expect(ticks([0, 1])).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks([0.28, 0.62])).toEqual([0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6]);
    expect(ticks([-0.1, 0.3], 4)).toEqual([-0.1, 0, 0.1, 0.2, 0.3]);
    expect(ticks([0, 120_000], 4)).toEqual([0, 20_000, 40_000, 60_000, 80_000, 100_000, 120_000]);
  });

  it('name whole epochs only', () => {
    expect(wholeTicks([0, 3])).toEqual([0, 1, 2, 3]);
    expect(wholeTicks([1, 2])).toEqual([1, 2]);
  });

  it('lie inside any range, in order, not too many of them', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(value, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (low, span) => {
        const marks = ticks([low, low + span]);
        const slack = span * 1e-6;
        expect(marks.length).toBeGreaterThan(1);
        expect(marks.length).toBeLessThan(10);
        expect(
          marks.every((m, i) => m >= low - slack && m <= low + span + slack && (i === 0 || m > marks[i - 1]!)),
        ).toBe(true);
      }),
    );
  });
});

describe('the range of values', () => {
  it('has round ends that hold them all', () => {
    expect(niceRange([0.31, 0.58])).toEqual([0.3, 0.6]);
    expect(niceRange([3, 117])).toEqual([0, 120]);
  });

  it('has ticks at both ends, whatever the values', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        const [low, high] = niceRange(values);
        const marks = ticks([low, high]);
        expect([marks[0], marks.at(-1)]).toEqual([low, high]);
        const slack = 1e-5 * (high - low);
        expect(values.every((v) => v >= low - slack && v <= high + slack)).toBe(true);
      }),
    );
  });

  it('gives room to values that are all alike', () => {
    expect(niceRange([5, 5])).toEqual([4.4, 5.6]);
    expect(niceRange([0, 0])).toEqual([0, 1]);
  });

  it('is something to draw even without a finite value', () => {
    expect(niceRange([])).toEqual([0, 1]);
    expect(niceRange([Number.NaN, Number.POSITIVE_INFINITY])).toEqual([0, 1]);
  });
});

it('an axis of shares does not go past 1, and one of amounts not below 0', () => {
  expect(clipped(niceRange([0.98, 0.98]), [0, 1])).toEqual([0.85, 1]);
  expect(clipped(niceRange([-3, 5]), [0, Number.POSITIVE_INFINITY])).toEqual([0, 6]);
});
