/** From rows of epochs to columns of charts. A number that is not there is a gap, never a zero. */

import { inBand } from '../../../core/curriculum.ts';
import { bandIn, type SteppedBand } from '../../../core/stepped-band.ts';
import { smoothed } from '../../../report/steps.ts';
import type { EpochRow } from '../../api.ts';

export type Column = (number | null)[];

/** A metric over epochs. */
export const metric = (rows: readonly EpochRow[], key: string): Column =>
  rows.map(({ metrics }) => metrics[key] ?? null);

/** A metric of finished epochs; in the one being played, what can be counted so far. */
const orSoFar = (rows: readonly EpochRow[], key: string, soFar: (counts: Counts) => number): Column =>
  rows.map((row) => {
    const known = row.metrics[key];
    if (known !== undefined) return known;
    const counts = countsOf(row);
    return counts && counts.judged > 0 ? soFar(counts) : null;
  });

export interface Counts {
  judged: number;
  solved: number;
  unsolved: number;
  successes: number;
  attempts: number;
}

export function countsOf({ facts }: EpochRow): Counts | null {
  if (!facts) return null;
  const counts: Counts = { judged: 0, solved: 0, unsolved: 0, successes: 0, attempts: 0 };
  for (const [k, n, tasks] of facts.tasks) {
    if (n === 0) continue;
    counts.judged += tasks;
    if (k === n) counts.solved += tasks;
    if (k === 0) counts.unsolved += tasks;
    counts.successes += k * tasks;
    counts.attempts += n * tasks;
  }
  return counts;
}

export const successRate = (rows: readonly EpochRow[]): Column =>
  orSoFar(rows, 'env/successRate', ({ successes, attempts }) => successes / attempts);

export const bandShare = (rows: readonly EpochRow[], band: SteppedBand): Column =>
  rows.map((row) => {
    const known = row.metrics['env/bandShare'];
    if (known !== undefined) return known;
    const judged = row.facts?.tasks.filter(([, n]) => n > 0) ?? [];
    const all = judged.reduce((sum, [, , tasks]) => sum + tasks, 0);
    const inside = judged.filter(([k, n]) => inBand(k / n, bandIn(band, row.epoch)));
    return all === 0 ? null : inside.reduce((sum, [, , tasks]) => sum + tasks, 0) / all;
  });

export const solvedShare = (rows: readonly EpochRow[]): Column =>
  orSoFar(rows, 'env/solvedShare', ({ solved, judged }) => solved / judged);
export const unsolvedShare = (rows: readonly EpochRow[]): Column =>
  orSoFar(rows, 'env/unsolvedShare', ({ unsolved, judged }) => unsolved / judged);
export const partialShare = (rows: readonly EpochRow[]): Column => {
  const [solved, unsolved] = [solvedShare(rows), unsolvedShare(rows)];
  return solved.map((share, i) => (share === null || unsolved[i] === null ? null : 1 - share - (unsolved[i] ?? 0)));
};

export const keptShare = (rows: readonly EpochRow[]): Column =>
  rows.map(({ metrics, facts }) => metrics['env/keptShare'] ?? (facts?.scored ? facts.kept / facts.scored : null));

/** Success on the base tasks among those trained on, whose answers are the data's own. */
export const baseSuccess = (rows: readonly EpochRow[]): Column =>
  rows.map(({ facts }) => (facts?.base.attempts ? facts.base.successes / facts.base.attempts : null));

/** Batches as dots: where, and how many at one place. */
export const batchDots = (rows: readonly EpochRow[]): { x: number; y: number; n: number }[] =>
  rows.flatMap(({ epoch, facts }) => (facts?.batches ?? []).map(([y, n]) => ({ x: epoch, y, n })));

/** The smoothed line of a raw one without gaps. */
export const smooth = (values: readonly number[]): number[] => smoothed(values);

export const firstAndLast = (values: Column): { first: number; last: number } | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { first: known[0]!, last: known.at(-1)! };
};
