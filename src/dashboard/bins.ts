/**
 * A series averaged down to what a screen can show, with the extremes beside the mean: nothing is smoothed away. Points are
 * added as they come and none is kept, so a run of any length takes the same memory: when the bins are full, neighbours
 * become one and every bin is twice as long.
 */
import type { BinnedSeries } from './api.ts';

export const MOST_BINS = 600;

export interface Bins {
  add(epoch: number, value: number): void;
  read(): BinnedSeries;
}

interface Bin {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Of the point in its middle. */
  epoch: number;
  lastEpoch: number;
}

/** `most` is even: bins are joined in pairs. */
export function openBins(key: string, most: number = MOST_BINS): Bins {
  let bins: Bin[] = [];
  let size = 1;
  let points = 0;

  return {
    add(epoch, value) {
      points++;
      const open = bins.at(-1);
      if (open && open.count < size) {
        open.count++;
        open.sum += value;
        open.min = Math.min(open.min, value);
        open.max = Math.max(open.max, value);
        if (open.count <= (size + 1) >> 1) open.epoch = epoch;
        open.lastEpoch = epoch;
        return;
      }
      if (bins.length >= most) {
        bins = joined(bins);
        size *= 2;
      }
      bins.push({ count: 1, sum: value, min: value, max: value, epoch, lastEpoch: epoch });
    },
    read: () => ({
      key,
      points,
      size,
      epoch: bins.map(({ epoch }) => epoch),
      index: bins.map(({ count }, i) => i * size + ((count - 1) >> 1) + 1),
      mean: bins.map(({ sum, count }) => digits(sum / count)),
      min: bins.map(({ min }) => digits(min)),
      max: bins.map(({ max }) => digits(max)),
    }),
  };
}

/** The middle of two bins of one length is the last point of the first. */
function joined(bins: readonly Bin[]): Bin[] {
  const pairs: Bin[] = [];
  for (let i = 0; i < bins.length; i += 2) {
    const [left, right] = [bins[i]!, bins[i + 1]!];
    pairs.push({
      count: left.count + right.count,
      sum: left.sum + right.sum,
      min: Math.min(left.min, right.min),
      max: Math.max(left.max, right.max),
      epoch: left.lastEpoch,
      lastEpoch: right.lastEpoch,
    });
  }
  return pairs;
}

/** More than a screen can tell apart would only make the answer longer. */
const digits = (value: number) => Number(value.toPrecision(6));
