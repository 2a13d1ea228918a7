import { expect, it } from 'vitest';
import { at, newJournal, tempFolder } from '../store/fixtures.ts';
import { openReader } from '../store/index.ts';
import { seriesCache } from './series-cache.ts';

it('a series is read on where it ended, and anew where a point was measured again', () => {
  const folder = tempFolder();
  using journal = newJournal(folder);
  const write = (...points: [epoch: number, step: number, value: number][]) =>
    journal.commit(at(1), { metrics: points.map(([epoch, step, value]) => ({ key: 'k', epoch, step, value })) });
  using reader = openReader(folder);
  const series = seriesCache(reader);
  expect(series('k').values).toEqual([]);
  write([1, 1, 0.1], [1, 2, 0.2]);
  expect(series('k').values).toEqual([0.1, 0.2]);
  write([2, 1, 0.3]);
  expect(series('k')).toMatchObject({ epochs: [1, 1, 2], steps: [1, 2, 1], values: [0.1, 0.2, 0.3] });
  write([1, 2, 0.9]);
  expect(series('k').values).toEqual([0.1, 0.9, 0.3]);
});
