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
  expect(series('k').mean).toEqual([]);
  write([1, 1, 0.1], [1, 2, 0.2]);
  expect(series('k').mean).toEqual([0.1, 0.2]);
  write([2, 1, 0.3]);
  expect(series('k')).toMatchObject({ points: 3, epoch: [1, 1, 2], mean: [0.1, 0.2, 0.3] });
  write([1, 2, 0.9]);
  expect(series('k').mean).toEqual([0.1, 0.9, 0.3]);
});

it('a long series takes many pages to read, and keeps no more than its bins', () => {
  const folder = tempFolder();
  using journal = newJournal(folder);
  const write = (from: number, count: number) =>
    journal.commit(at(1), {
      metrics: Array.from({ length: count }, (_, i) => ({ key: 'k', epoch: 1, step: from + i, value: from + i })),
    });
  write(1, 21_000);
  using reader = openReader(folder);
  const series = seriesCache(reader);
  const whole = series('k');
  expect(whole.points).toBe(21_000);
  expect(whole.mean.length).toBeLessThanOrEqual(600);
  expect([whole.min[0], whole.max.at(-1)]).toEqual([1, 21_000]);
  write(21_001, 20_500);
  const grown = series('k');
  expect([grown.points, grown.max.at(-1)]).toEqual([41_500, 41_500]);
  expect(grown).toEqual(seriesCache(reader)('k'));
});
