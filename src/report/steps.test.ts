import { expect, it } from 'vitest';
import { binned, meanSteps, smoothed } from './steps.ts';

it('averages seeds step by step, as far as any went', () => {
  expect(
    meanSteps([
      [0, 1, 1],
      [1, 0],
    ]),
  ).toEqual([0.5, 0.5, 1]);
  expect(meanSteps([])).toEqual([]);
});

it('averages consecutive steps until they can be drawn', () => {
  expect(binned([1, 2, 3])).toEqual([1, 2, 3].map((step) => ({ step, value: step })));
  expect(binned([1, 2, 3, 4, 5], 3)).toEqual([
    { step: 1.5, value: 1.5 },
    { step: 3.5, value: 3.5 },
    { step: 5, value: 5 },
  ]);
});

it('smooths noise and leaves a level line alone', () => {
  expect(smoothed([3, 3, 3])).toEqual([3, 3, 3]);
  const noisy = Array.from({ length: 100 }, (_, i) => i % 2);
  expect(smoothed(noisy).every((value) => Math.abs(value - 0.5) < 0.1)).toBe(true);
});
