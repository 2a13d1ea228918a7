import fc from 'fast-check';
import { expect, it } from 'vitest';
import { binned } from './bins.ts';

it('a short series is sent as it is', () => {
  const bins = binned('k', { epochs: [1, 1, 2], values: [1, 2, 3] }, 10);
  expect(bins).toMatchObject({
    points: 3,
    size: 1,
    index: [1, 2, 3],
    mean: [1, 2, 3],
    min: [1, 2, 3],
    epoch: [1, 1, 2],
  });
});

it('a long one keeps its extremes and its mean, in no more bins than asked for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ noNaN: true, min: -1000, max: 1000 }), { minLength: 1, maxLength: 500 }),
      fc.integer({ min: 1, max: 50 }),
      (values, most) => {
        const bins = binned('k', { epochs: values.map((_, i) => i), values }, most);
        expect(bins.mean.length).toBeLessThanOrEqual(most);
        expect(Math.min(...bins.min)).toBeCloseTo(Math.min(...values), 1);
        expect(Math.max(...bins.max)).toBeCloseTo(Math.max(...values), 1);
        expect(bins.mean.every((mean, i) => mean >= bins.min[i]! - 1e-2 && mean <= bins.max[i]! + 1e-2)).toBe(true);
      },
    ),
  );
});
