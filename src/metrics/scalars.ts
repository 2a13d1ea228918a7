/** What sinks of numbers have in common: the metric points of a run, in the order of writing, with a place on one axis. */
import type { MetricPoint } from '../core/journal.ts';
import type { Mark } from './marks.ts';

export type MetricRow = MetricPoint & { row: number };

/** A point as other tools want it: a number at a whole step. */
export interface Placed {
  key: string;
  value: number;
  /** The epoch, or for numbers per optimizer step how many of them came before, over all epochs. */
  step: number;
}

export interface ScalarSink {
  /** Where its mark is kept. */
  readonly id: string;
  /** Sends the rows that follow the mark, and returns the mark that stands after them. */
  send(rows: readonly MetricRow[], mark: Mark, timeMs: number): Promise<Mark>;
  /** Says how the run ended, once everything is sent. */
  end?(status: EndStatus): Promise<void>;
}

export type EndStatus = 'finished' | 'stopped' | 'failed';

/** The points with their steps, and the mark that stands after them. */
export function place(rows: readonly MetricRow[], mark: Mark): { points: Placed[]; next: Mark } {
  const steps = { ...mark.steps };
  const points = rows.map(({ key, epoch, step, value }) => {
    if (step === 0) return { key, value, step: epoch };
    steps[key] = (steps[key] ?? 0) + 1;
    return { key, value, step: steps[key] };
  });
  return { points, next: { ...mark, row: rows.at(-1)?.row ?? mark.row, steps } };
}
