import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openBins } from './bins.ts';

function binned(values: readonly number[], most: number) {
  const bins = openBins('k', most);
  values.forEach((value, i) => {
    bins.add(i, value);
  });
  return bins.read();
}

it('a short series is sent as it is', () => {
  expect(binned([1, 2, 3], 10)).toEqual({
    key: 'k',
    points: 3,
    size: 1,
    epoch: [0, 1, 2],
    index: [1, 2, 3],
    mean: [1, 2, 3],
    min: [1, 2, 3],
    max: [1, 2, 3],
  });
});

it('a long one is averaged in bins that double in length, each at its middle', () => {
  const { size, points, index, mean, epoch } = binned(
    Array.from({ length: 9 }, (_, i) => i),
    4,
  );
  expect({ size, points, index, mean, epoch }).toEqual({
    size: 4,
    points: 9,
    index: [2, 6, 9],
    mean: [1.5, 5.5, 8],
    epoch: [1, 5, 8],
  });
});

it('a long one keeps its extremes and its mean, in no more bins than asked for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ noNaN: true, min: -1000, max: 1000 }), { minLength: 1, maxLength: 500 }),
      fc.integer({ min: 1, max: 25 }),
      (values, half) => {
        const bins = binned(values, 2 * half);
        expect(bins.mean.length).toBeLessThanOrEqual(2 * half);
        expect(bins.mean.length).toBe(Math.ceil(values.length / bins.size));
        expect(Math.min(...bins.min)).toBeCloseTo(Math.min(...values), 1);
        expect(Math.max(...bins.max)).toBeCloseTo(Math.max(...values), 1);
        expect(bins.mean.every((mean, i) => mean >= bins.min[i]! - 1e-2 && mean <= bins.max[i]! + 1e-2)).toBe(true);
        for (const [i, start] of bins.mean.map((_, b) => [b, b * bins.size] as const)) {
          const own = values.slice(start, start + bins.size);
          expect(bins.mean[i]!).toBeCloseTo(own.reduce((a, b) => a + b, 0) / own.length, 1);
        }
      },
    ),
  );
});
