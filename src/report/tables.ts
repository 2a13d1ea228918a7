/** The tables of the report. A column that would be empty is left out. */

import type { Table } from './blocks.ts';
import type { Arm } from './comparison.ts';
import { type Milestone, milestones } from './efficiency.ts';
import { estimateShare } from './interval.ts';
import { compact, count, minutes, NONE, pValue, rate, signed, withInterval } from './number.ts';
import { pairedDifference, type Split, score, scores, spent } from './results.ts';

interface Column {
  head: string;
  cell: (arm: Arm) => string | null;
}

/** What each arm came to and what it spent. */
export function resultsTable(arms: readonly Arm[]): Table {
  const first = arms[0];
  const success = (split: Split) => (arm: Arm) => {
    const mean = estimateShare(scores(arm, split));
    return mean && withInterval(mean, rate);
  };
  const difference = (arm: Arm) => (first && arm !== first ? pairedDifference(arm, first, 'validation') : null);
  const amount = (pick: (spending: NonNullable<ReturnType<typeof spent>>) => string) => (arm: Arm) => {
    const spending = spent(arm);
    return spending && pick(spending);
  };
  const columns: Column[] = [
    { head: 'validation', cell: success('validation') },
    { head: 'test', cell: success('test') },
    {
      head: `validation minus ${first?.name}`,
      cell: (arm) => {
        const paired = difference(arm);
        return paired && withInterval(paired, signed);
      },
    },
    {
      head: 'p',
      cell: (arm) => {
        const p = difference(arm)?.p ?? null;
        return p === null ? null : pValue(p);
      },
    },
    { head: 'unique tasks', cell: amount(({ tasks }) => count(tasks)) },
    { head: 'rollouts', cell: amount(({ rollouts }) => count(rollouts)) },
    { head: 'agent tokens', cell: amount(({ agentTokens }) => compact(agentTokens)) },
    { head: 'environment tokens', cell: amount(({ environmentTokens }) => compact(environmentTokens)) },
    { head: 'minutes', cell: amount(({ seconds }) => minutes(seconds)) },
  ];
  const filled = columns
    .map(({ head, cell }) => ({ head, cells: arms.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== null));
  return {
    kind: 'table',
    caption: arms.some((arm) => arm.runs.length > 1)
      ? 'Success after training: mean over seeds with its 95 % interval. Spending: mean per run, over training.'
      : 'Success after training, and what training spent.',
    head: ['arm', ...filled.map(({ head }) => head)],
    rows: arms.map((arm, i) => [arm.name, ...filled.map(({ cells }) => cells[i] ?? NONE)]),
    words: 1,
  };
}

/** What each arm needed to get as far as each arm got. */
export function efficiencyTable(arms: readonly Arm[]): Table | null {
  const reached = milestones(arms);
  if (reached.length === 0) return null;
  const cell = (cost: Milestone['costs'][number]) =>
    cost ? `${count(cost.tasks)} tasks, ${compact(cost.tokens)} tokens` : 'not reached';
  return {
    kind: 'table',
    caption:
      'Data efficiency: unique tasks and tokens of both players spent by the end of the first epoch whose mean validation is ' +
      'as high as the best mean of the arm in the first column.',
    head: ['to reach the best of', 'validation', ...arms.map((arm) => arm.name)],
    rows: reached.map(({ arm, score: best, costs }) => [arm, rate(best), ...costs.map(cell)]),
    words: 1,
  };
}

export const settingsTable = (arms: readonly Arm[]): Table => ({
  kind: 'table',
  caption: `The arms, and the settings in which each differs from ${arms[0]?.name}.`,
  head: ['arm', 'what it is', 'settings'],
  rows: arms.map(({ name, description, settings }) => [
    name,
    description,
    Object.entries(settings)
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ') || NONE,
  ]),
  words: 3,
});

/** Every run, so that a number can be followed to where it came from. */
export function runsTable(arms: readonly Arm[]): Table {
  const runs = arms.flatMap(({ name, runs }) => runs.map((run) => ({ name, run })));
  const tested = runs.some(({ run }) => run.test);
  const shown = (value: number | undefined) => (value === undefined ? NONE : rate(value));
  return {
    kind: 'table',
    caption: 'Every run; folders are relative to this report.',
    head: ['run', 'arm', 'seed', 'epochs', 'validation', ...(tested ? ['test'] : []), 'minutes'],
    rows: runs.map(({ name, run }) => [
      run.run,
      name,
      String(run.seed),
      String(run.epochs.at(-1)?.epoch ?? 0),
      shown(score(run, 'validation')),
      ...(tested ? [shown(score(run, 'test'))] : []),
      minutes(run.seconds),
    ]),
    words: 2,
  };
}
