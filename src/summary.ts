/** What a run amounted to: the last object of its event stream, and the closing lines on a terminal. */
import type { Config } from './config.ts';
import { inBand } from './core/curriculum.ts';
import type { RunEvent } from './core/events.ts';
import type { Journal, Ledger } from './core/journal.ts';
import type { Json } from './core/types.ts';

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
  /** What the server was asked for that wrote the tasks, by all processes that played the run. */
  writer?: ServerBill;
  /** Wall time of this process. */
  seconds: number;
  /** Where the report is, once it is written; null where it could not be. */
  report?: string | null;
}

/** What was asked of a server, and what it costs where prices are known. */
export interface ServerBill {
  requests: number;
  promptTokens: number;
  completionTokens: number;
  cost?: number;
}

/** The bill that a run keeps; all zeros before there is one. */
export function billOf({ writer }: Record<string, Json>): ServerBill {
  const kept = (writer ?? {}) as Partial<ServerBill>; // Written by sumOfBills.
  const { requests = 0, promptTokens = 0, completionTokens = 0, cost } = kept;
  return { requests, promptTokens, completionTokens, ...(cost === undefined ? {} : { cost }) };
}

export function sumOfBills(a: ServerBill, b: ServerBill): ServerBill {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0);
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...(cost === undefined ? {} : { cost }),
  };
}

export function summarise(
  journal: Pick<Journal, 'metrics' | 'ledger' | 'cursor'> & { meta?(): Record<string, Json> },
  { curriculum }: Pick<Config, 'curriculum'>,
  end: Extract<RunEvent, { type: 'end' }> & { run: string },
  seconds: number,
): Summary {
  const epochs = Array.from({ length: completedEpochs(journal) + 1 }, (_, epoch) => journal.metrics(epoch));
  const series = (key: string) => epochs.flatMap((metrics) => metrics[key] ?? []);
  const ends = (values: number[]) => ({ first: values[0] ?? null, last: values.at(-1) ?? null });
  const generated = series('env/successRate');
  const validation = series('val/successRate');
  const bill = billOf(journal.meta?.() ?? {});
  const inside = generated.filter((rate) => inBand(rate, curriculum)).length;
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
    ...(bill.requests > 0 ? { writer: bill } : {}),
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

/** An epoch counts once it is aggregated. */
export function completedEpochs(journal: Pick<Journal, 'cursor'>): number {
  const cursor = journal.cursor();
  if (!cursor) return 0;
  return cursor.phase === 'aggregate' ? cursor.epoch : Math.max(0, cursor.epoch - 1);
}
