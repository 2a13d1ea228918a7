/** What a run amounted to: the last object of its event stream, and the closing lines on a terminal. */
import type { Config } from './config.ts';
import { inBand } from './core/curriculum.ts';
import type { RunEvent } from './core/events.ts';
import type { Journal, Ledger } from './core/journal.ts';

export interface Summary {
  type: 'summary';
  run: string;
  status: 'finished' | 'stopped';
  /** Epochs completed. */
  epochs: number;
  /** Success on generated tasks in the first and last epoch, and the share of epochs in which it was inside the band. */
  generatedSuccess: { first: number | null; last: number | null; shareInBand: number | null };
  /** Share of task groups with both successes and failures. */
  usefulGroups: { first: number | null; last: number | null };
  validation: { first: number | null; last: number | null; best: number | null };
  /** On the test tasks, where the finished agent was judged on them. */
  test: number | null;
  responseLength: { first: number | null; last: number | null };
  /** Entropy of the kinds of generated tasks over its maximum. */
  diversity: { first: number | null; last: number | null };
  ledger: Ledger;
  /** Wall time of this process. */
  seconds: number;
  /** Where the report is, once it is written; null where it could not be. */
  report?: string | null;
}

export function summarise(
  journal: Pick<Journal, 'metrics' | 'ledger' | 'cursor'>,
  { curriculum }: Pick<Config, 'curriculum'>,
  end: Extract<RunEvent, { type: 'end' }> & { run: string },
  seconds: number,
  /** α may have been changed on the way. */
  alphaIn: (epoch: number) => number = () => curriculum.alpha,
): Summary {
  const epochs = Array.from({ length: completedEpochs(journal) + 1 }, (_, epoch) => journal.metrics(epoch));
  const series = (key: string) => epochs.flatMap((metrics) => metrics[key] ?? []);
  const ends = (values: number[]) => ({ first: values[0] ?? null, last: values.at(-1) ?? null });
  const isInside = (rate: number | undefined, epoch: number) =>
    rate !== undefined && inBand(rate, { kMin: curriculum.kMin, alpha: alphaIn(epoch) });
  const generated = series('env/successRate');
  const validation = series('val/successRate');
  const inside = epochs.filter((metrics, epoch) => isInside(metrics['env/successRate'], epoch)).length;
  return {
    type: 'summary',
    run: end.run,
    status: end.status,
    epochs: epochs.length - 1,
    generatedSuccess: { ...ends(generated), shareInBand: generated.length > 0 ? inside / generated.length : null },
    usefulGroups: ends(series('env/usefulShare')),
    validation: { ...ends(validation), best: validation.length > 0 ? Math.max(...validation) : null },
    test: series('test/successRate').at(-1) ?? null,
    responseLength: ends(series('agent/responseTokens')),
    diversity: ends(series('env/diversity')),
    ledger: journal.ledger(),
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

/** An epoch counts once it is aggregated. */
export function completedEpochs(journal: Pick<Journal, 'cursor'>): number {
  const cursor = journal.cursor();
  if (!cursor) return 0;
  return cursor.phase === 'aggregate' ? cursor.epoch : Math.max(0, cursor.epoch - 1);
}
