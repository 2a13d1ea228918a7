/** From numbers to places: a linear scale, the range that holds some values, and ticks at round numbers. */

export type Range = readonly [low: number, high: number];

export type Scale = (value: number) => number;

/** Values outside the domain stop at its edge: an interval may reach past a share of 1, its drawing may not. */
export function linear([low, high]: Range, [from, to]: Range): Scale {
  const span = high - low || 1;
  return (value) => from + ((Math.min(high, Math.max(low, value)) - low) / span) * (to - from);
}

/** The smallest range with round ends that holds all values; values that are all alike get room on both sides. */
export function niceRange(values: readonly number[], count = 5): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (low > high || size < 1e-12) return [0, 1];
  // Alike, or so close that no tick could tell them apart.
  if (high - low <= 1e-9 * size) [low, high] = [low - size / 10, high + size / 10];
  // A wider range may ask for a wider step, and so become wider again: the ends are to be ticks of the range itself.
  let step = 0;
  while (step < roundStep((high - low) / count)) {
    step = roundStep((high - low) / count);
    [low, high] = [clean(Math.floor(low / step + 1e-6) * step), clean(Math.ceil(high / step - 1e-6) * step)];
  }
  return [low, high];
}

/** The range as far as values can lie in it: an axis of shares ends at 1. */
export const clipped = ([low, high]: Range, [least, most]: Range): Range => [
  Math.max(low, least),
  Math.min(high, most),
];

/** About `count` round numbers inside the range, its ends included where they are round. */
export function ticks([low, high]: Range, count = 5): number[] {
  if (!(high > low)) return [low];
  const step = roundStep((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => clean((first + i) * step));
}

/** Epochs and steps are whole: a tick at 2.5 would name none. */
export const wholeTicks = (range: Range, count = 6): number[] => ticks(range, count).filter(Number.isInteger);

/** 1, 2 or 5 times a power of ten, nearest to what was asked for in ratio. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return power * (lead < Math.SQRT2 ? 1 : lead < Math.sqrt(10) ? 2 : lead < Math.sqrt(50) ? 5 : 10);
}

/** 0.1 + 0.2 is a tick label of 0.3. */
const clean = (value: number) => Number(value.toPrecision(12));
