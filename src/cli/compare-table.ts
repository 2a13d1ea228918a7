/** The closing table of a comparison: what each arm reached, how it differs from the first, and what it spent. */
import type { Comparison } from '../report/comparison.ts';
import {
  type ArmRow,
  armRows,
  type Difference,
  efficiency,
  type Interval,
  judgedOn,
  unequalBudgets,
} from '../report/statistics.ts';
import { count, decimal, NONE, percent } from './format.ts';
import { paint, tableWidth, terminalWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { wrap } from './text-width.ts';

export function closingTable(comparison: Comparison): string[] {
  const rows = armRows(comparison);
  const split = judgedOn(comparison);
  return ['', ...table(columns(split), rows, tableWidth()), '', ...notes(comparison, rows, split)];
}

const right = { align: 'right' } as const;
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const whole = (value: number | null) => (value === null ? NONE : count(Math.round(value)));
const large = (value: number | null) => (value === null ? NONE : compact.format(value));

const columns = (split: string): Column<ArmRow>[] => [
  { title: 'arm', cell: ({ arm }) => arm, paint: (text) => paint('bold', text) },
  { title: 'seeds', cell: ({ seeds }) => String(seeds), ...right, drop: 4 },
  { title: 'validation', cell: ({ validation }) => around(validation) },
  { title: 'test', cell: ({ test }) => around(test) },
  { title: `Δ ${split}`, cell: ({ difference }) => signed(difference) },
  { title: 'p', cell: ({ difference }) => decimal(difference?.p, 3), ...right, drop: 1 },
  { title: 'p̂ generated', cell: ({ generatedSuccess }) => decimal(generatedSuccess), ...right },
  { title: 'in band', cell: (row) => percent(row.lateBandShare), ...right, drop: 6 },
  { title: 'useful', cell: ({ usefulShare }) => percent(usefulShare), ...right },
  { title: 'diverse', cell: ({ diversity }) => decimal(diversity), ...right, drop: 3 },
  { title: 'tasks', cell: ({ tasks }) => whole(tasks), ...right, drop: 2 },
  { title: 'tokens', cell: ({ tokens }) => large(tokens), ...right, drop: 5 },
  { title: 'minutes', cell: ({ minutes }) => decimal(minutes, 1), ...right, drop: 7 },
];

const around = (value: Interval | null) =>
  value === null
    ? NONE
    : `${decimal(value.mean, 3)}${value.halfWidth === null ? '' : ` ± ${decimal(value.halfWidth, 3)}`}`;

function signed(difference: Difference | null): string {
  if (difference === null) return NONE;
  const { mean, halfWidth, relative } = difference;
  const sign = mean < 0 ? '−' : '+';
  const width = halfWidth === null ? '' : ` ± ${decimal(halfWidth, 3)}`;
  const share = relative === null ? '' : ` (${sign}${Math.round(100 * Math.abs(relative))} %)`;
  return `${sign}${decimal(Math.abs(mean), 3)}${width}${share}`;
}

function notes(comparison: Comparison, rows: readonly ArmRow[], split: string): string[] {
  const first = comparison.arms[0]?.name ?? '';
  const reached = efficiency(comparison).map(({ arm, best, firstArm }) =>
    best && firstArm
      ? `${first} reached ${arm}'s best validation (${decimal(best.score, 3)}) after ${whole(firstArm.tasks)} tasks and ${large(firstArm.tokens)} tokens; ${arm} after ${whole(best.tasks)} and ${large(best.tokens)}.`
      : `${first} never reached ${arm}'s best validation (${decimal(best?.score, 3)}).`,
  );
  const uneven = unequalBudgets(rows).map(
    ({ arm, ratio }) =>
      `${arm} made ${decimal(ratio)} times the rollouts of ${first}: it had fewer or more tasks to attempt.`,
  );
  const legend =
    `± is a 95% t-interval over the seeds · Δ ${split}: to ${first}, seed by seed; p of an exact sign-flip test · ` +
    'p̂ generated, useful, diverse: in the last epoch · in band: share of epochs after the first third · ' +
    'tasks: different ones attempted · tokens: of both players';
  const line = (text: string) => wrap(text, terminalWidth() - 2).map((part) => `  ${part}`);
  return [...reached.flatMap(line), ...uneven.flatMap(line), ...line(legend).map((part) => paint('dim', part))];
}
