import { expect, it } from 'vitest';
import type { EpochRow } from '../../api.ts';
import { bandShare } from './columns.ts';

const facts = (tasks: [number, number, number][]): EpochRow['facts'] => ({
  tasks,
  batches: [],
  verdicts: {},
  scored: 0,
  kept: 0,
  base: { successes: 0, attempts: 0 },
});

it('the share in the band is counted against the α of each epoch, and left as it was measured where it was', () => {
  const tasks: [number, number, number][] = [
    [2, 4, 3],
    [1, 4, 1],
    [0, 0, 9],
  ];
  const rows: EpochRow[] = [
    { epoch: 1, metrics: {}, facts: facts(tasks) },
    { epoch: 2, metrics: {}, facts: facts(tasks) },
    { epoch: 3, metrics: { 'env/bandShare': 0.7 }, facts: facts(tasks) },
    { epoch: 4, metrics: {}, facts: null },
  ];
  const band = { alpha: 0.5, kMin: 0.1, steps: [{ epoch: 2, alpha: 0.25 }] };
  expect(bandShare(rows, band)).toEqual([0.75, 0.25, 0.7, null]);
});
