/** Series of a run, kept so that only their new points are read. */
import type { RunReader, Series } from '../store/index.ts';

export type SeriesCache = (key: string) => Series;

/** Enough for every panel of a page and those of the page before. */
const MOST_KEYS = 64;

export function seriesCache(reader: RunReader): SeriesCache {
  const known = new Map<string, Series>();
  const keep = (key: string, series: Series) => {
    known.delete(key);
    known.set(key, series);
    if (known.size > MOST_KEYS) known.delete(known.keys().next().value!);
    return series;
  };
  return (key) => {
    const before = known.get(key);
    if (!before) return keep(key, reader.browse.series(key));
    const more = reader.browse.series(key, before.row);
    if (more.values.length === 0) return keep(key, before);
    // A point that was measured again takes the place of an earlier one.
    if (!continues(before, more)) return keep(key, reader.browse.series(key));
    return keep(key, {
      epochs: [...before.epochs, ...more.epochs],
      steps: [...before.steps, ...more.steps],
      values: [...before.values, ...more.values],
      row: more.row,
    });
  };
}

function continues(before: Series, more: Series): boolean {
  const [epoch, step] = [before.epochs.at(-1) ?? -1, before.steps.at(-1) ?? -1];
  return more.epochs[0]! > epoch || (more.epochs[0]! === epoch && more.steps[0]! > step);
}
