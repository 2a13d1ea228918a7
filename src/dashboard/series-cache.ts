/** Series of a run in bins, so that only their new points are read and none is kept. */
import type { RunReader, Series } from '../store/index.ts';
import type { BinnedSeries } from './api.ts';
import { type Bins, openBins } from './bins.ts';

export type SeriesCache = (key: string) => BinnedSeries;

/** Enough for every panel of a page and those of the page before. */
const MOST_KEYS = 64;
const PAGE_POINTS = 20_000;

interface Known {
  bins: Bins;
  /** The last point, and the last row that was looked at. */
  epoch: number;
  step: number;
  row: number;
}

export function seriesCache({ browse }: Pick<RunReader, 'browse'>): SeriesCache {
  const known = new Map<string, Known>();

  /** From the beginning, in order, page by page: a long series is never in memory as a whole. */
  const readWhole = (key: string): Known => {
    const row = browse.marks().metrics;
    const fresh: Known = { bins: openBins(key), epoch: -1, step: -1, row };
    for (let read = PAGE_POINTS; read === PAGE_POINTS; ) {
      const page = browse.seriesPage(key, { ...fresh, limit: PAGE_POINTS });
      read = page.values.length;
      take(fresh, page);
    }
    return fresh;
  };
  const readOn = (key: string, before: Known): Known => {
    for (;;) {
      const more = browse.series(key, before.row, PAGE_POINTS);
      // A point that was measured again takes the place of an earlier one.
      if (!take(before, more)) return readWhole(key);
      before.row = more.row;
      if (more.values.length < PAGE_POINTS) return before;
    }
  };

  return (key) => {
    const before = known.get(key);
    const now = before ? readOn(key, before) : readWhole(key);
    known.delete(key);
    known.set(key, now);
    if (known.size > MOST_KEYS) known.delete(known.keys().next().value!);
    return now.bins.read();
  };
}

/** False where a point does not come after the one before it; then what is known is of no use any more. */
function take(known: Known, { epochs, steps, values }: Series): boolean {
  for (const [i, value] of values.entries()) {
    const [epoch, step] = [epochs[i]!, steps[i]!];
    if (epoch < known.epoch || (epoch === known.epoch && step <= known.step)) return false;
    known.bins.add(epoch, value);
    known.epoch = epoch;
    known.step = step;
  }
  return true;
}
