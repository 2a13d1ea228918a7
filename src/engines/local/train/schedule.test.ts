import { expect, it } from 'vitest';
import { learningRate } from './schedule.ts';

it('warms up linearly, then falls along a cosine to its final share', () => {
  const schedule = { peak: 1, warmupSteps: 4, totalSteps: 24, finalShare: 0.1 };
  expect([0, 1, 3].map((step) => learningRate(schedule, step))).toEqual([0.25, 0.5, 1]);
  expect(learningRate(schedule, 14)).toBeCloseTo(0.55);
  expect(learningRate(schedule, 24)).toBeCloseTo(0.1);
  expect(learningRate(schedule, 99)).toBeCloseTo(0.1);
});

it('stays at the peak where no end is given', () => {
  expect(learningRate({ peak: 3 }, 1000)).toBe(3);
});
