/** The tables of the report. A column that would be empty is left out. */

import { type ArmRow, armRows } from './arm-rows.ts';
import type { Table } from './blocks.ts';
import type { Arm, Comparison } from './comparison.ts';
import { type Milestone, milestones } from './efficiency.ts';
import type { Estimate } from './interval.ts';
import {
  compact,
  count,
  duration,
  moment,
  NONE,
  orNone,
  percent,
  pValue,
  rate,
  signed,
  signedPercent,
  withInterval,
} from './number.ts';
import { type Difference, judgedOn, score } from './results.ts';

interface Column {
  head: string;
  cell: (row: ArmRow) => string;
}

/** What each arm came to and what it spent. */
export function resultsTable(comparison: Comparison): Table {
  const { arms } = comparison;
  const severalSeeds = arms.some((arm) => arm.runs.length > 1);
  return armTable(
    severalSeeds
      ? 'Success after training: mean over seeds with its 95 % interval. Spending: mean per run, over training.'
      : 'Success after training, and what training spent.',
    [
      { head: 'seeds', cell: ({ seeds }) => (severalSeeds ? count(seeds) : NONE) },
      { head: 'validation', cell: ({ validation }) => success(validation) },
      { head: 'test', cell: ({ test }) => success(test) },
      {
        head: `${judgedOn(arms)} minus ${arms[0]?.name}`,
        cell: ({ difference }) => (difference ? withShare(difference) : NONE),
      },
      { head: 'p', cell: ({ difference }) => orNone(difference?.p, pValue) },
      { head: 'unique tasks', cell: ({ tasks }) => orNone(tasks, count) },
      { head: 'rollouts', cell: ({ rollouts }) => orNone(rollouts, count) },
      { head: 'agent tokens', cell: ({ agentTokens }) => orNone(agentTokens, compact) },
      { head: 'environment tokens', cell: ({ environmentTokens }) => orNone(environmentTokens, compact) },
      { head: 'time', cell: ({ minutes }) => orNone(minutes, (value) => duration(60 * value)) },
    ],
    armRows(comparison),
  );
}

/** What the tasks were like that each arm had written; null where no arm has any written. */
export function generatedTable(comparison: Comparison): Table | null {
  const rows = armRows(comparison).filter(({ generatedSuccess }) => generatedSuccess !== null);
  if (rows.length === 0) return null;
  return armTable(
    'Generated tasks, means over seeds. In band: share of the epochs after the first third of training with success inside the ' +
      'band. The others are of the last epoch. Useful groups: tasks that some attempts solve and some do not. Diversity: 1 where ' +
      'all kinds are equally frequent.',
    [
      { head: 'success', cell: ({ generatedSuccess }) => orNone(generatedSuccess, rate) },
      { head: 'in band', cell: ({ lateBandShare }) => orNone(lateBandShare, percent) },
      { head: 'useful groups', cell: ({ usefulShare }) => orNone(usefulShare, percent) },
      { head: 'diversity', cell: ({ diversity }) => orNone(diversity, rate) },
    ],
    rows,
  );
}

/** What became of what the simulator wrote, over all epochs; null where nothing was written. */
export function verdictsTable(arms: readonly Arm[]): Table | null {
  const counts = arms.map(({ runs }) => {
    const sums = new Map<string, number>();
    for (const { verdicts } of runs.flatMap((run) => run.epochs)) {
      for (const [verdict, n] of Object.entries(verdicts)) sums.set(verdict, (sums.get(verdict) ?? 0) + n);
    }
    return sums;
  });
  const all = new Map<string, number>();
  for (const [verdict, n] of counts.flatMap((sums) => [...sums])) all.set(verdict, (all.get(verdict) ?? 0) + n);
  if (all.size === 0) return null;
  const verdicts = [...all].sort(([, a], [, b]) => b - a).map(([verdict]) => verdict);
  const written = (sums: ReadonlyMap<string, number>) => [...sums.values()].reduce((a, b) => a + b, 0);
  const rows = arms.flatMap(({ name }, i) => {
    const of = written(counts[i]!);
    return of === 0
      ? []
      : [[name, count(of), ...verdicts.map((verdict) => percent((counts[i]!.get(verdict) ?? 0) / of))]];
  });
  return {
    kind: 'table',
    caption: 'What the simulator wrote over all epochs, and what the guards said to it.',
    head: ['arm', 'generations', ...verdicts.map(inWords)],
    rows,
    words: 1,
  };
}

/** `notJson` as `not json`. */
const inWords = (verdict: string) => verdict.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function armTable(caption: string, columns: readonly Column[], rows: readonly ArmRow[]): Table {
  const filled = columns
    .map(({ head, cell }) => ({ head, cells: rows.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== NONE));
  return {
    kind: 'table',
    caption,
    head: ['arm', ...filled.map(({ head }) => head)],
    rows: rows.map(({ arm }, i) => [arm, ...filled.map(({ cells }) => cells[i]!)]),
    words: 1,
  };
}

const success = (mean: Estimate | null) => (mean ? withInterval(mean, rate) : NONE);

const withShare = (difference: Difference) =>
  `${withInterval(difference, signed)}${difference.relative === null ? '' : ` (${signedPercent(difference.relative)})`}`;

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
  return {
    kind: 'table',
    caption: 'Every run; folders are relative to this report.',
    head: ['run', 'arm', 'seed', 'epochs', 'validation', ...(tested ? ['test'] : []), 'time'],
    rows: runs.map(({ name, run }) => [
      run.run === '.' ? 'this folder' : run.run,
      name,
      String(run.seed),
      String(run.epochs.at(-1)?.epoch ?? 0),
      orNone(score(run, 'validation'), rate),
      ...(tested ? [orNone(score(run, 'test'), rate)] : []),
      duration(run.seconds),
    ]),
    words: 2,
  };
}

/** What a person changed while a run went on; null where nobody did. */
export function changesTable(arms: readonly Arm[]): Table | null {
  const runs = arms.flatMap((arm) => arm.runs);
  const rows = runs.flatMap(({ run, changes = [] }) =>
    changes.map(({ from, what, who, timeMs }) => [
      ...(runs.length > 1 ? [run] : []),
      from,
      what,
      who,
      moment(new Date(timeMs).toISOString()),
    ]),
  );
  if (rows.length === 0) return null;
  const head = [...(runs.length > 1 ? ['run'] : []), 'from', 'change', 'by', 'when'];
  return { kind: 'table', caption: 'Changed by a person while the run went on.', head, rows, words: head.length };
}
