/** Long series averaged down to what a screen can show, with the extremes beside the mean: nothing is smoothed away. */
import type { Series } from '../store/index.ts';
import type { BinnedSeries } from './api.ts';

export const MOST_BINS = 600;

export function binned(key: string, { epochs, values }: Pick<Series, 'epochs' | 'values'>, most: number): BinnedSeries {
  const size = Math.max(1, Math.ceil(values.length / most));
  const bins: BinnedSeries = { key, points: values.length, size, epoch: [], index: [], mean: [], min: [], max: [] };
  for (let start = 0; start < values.length; start += size) {
    const end = Math.min(values.length, start + size);
    let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = start; i < end; i++) {
      const value = values[i]!;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    const middle = (start + end - 1) >> 1;
    bins.epoch.push(epochs[middle]!);
    bins.index.push(middle + 1);
    bins.mean.push(digits(sum / (end - start)));
    bins.min.push(digits(min));
    bins.max.push(digits(max));
  }
  return bins;
}

/** More than a screen can tell apart would only make the answer longer. */
const digits = (value: number) => Number(value.toPrecision(6));
