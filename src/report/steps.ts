/** Rewards of optimizer steps: a noisy line and the same line smoothed. */

/** Points that a panel can show apart; longer series are averaged down to it. */
const MOST_POINTS = 400;

/** The mean over seeds at each step, as far as any seed went. */
export function meanSteps(series: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...series.map((values) => values.length));
  return Array.from({ length }, (_, i) => mean(series.flatMap((values) => values[i] ?? [])));
}

/** Averages of consecutive steps, few enough to draw, each with the number of the step in its middle. */
export function binned(values: readonly number[], most: number = MOST_POINTS): { step: number; value: number }[] {
  const size = Math.max(1, Math.ceil(values.length / most));
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const bin = values.slice(i * size, (i + 1) * size);
    return { step: i * size + (bin.length + 1) / 2, value: mean(bin) };
  });
}

/** A centred moving average over a tenth of the series; at the ends, over what there is of the window. */
export function smoothed(values: readonly number[]): number[] {
  const reach = Math.floor(values.length / 20);
  return values.map((_, i) => mean(values.slice(Math.max(0, i - reach), i + reach + 1)));
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
