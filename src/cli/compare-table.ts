/** The closing table of a comparison: what each arm reached, how it differs from the first, and what it spent. */
import { type ArmRow, armRows } from '../report/arm-rows.ts';
import type { Comparison } from '../report/comparison.ts';
import { catchUps } from '../report/efficiency.ts';
import type { Estimate } from '../report/interval.ts';
import {
  compact,
  count,
  duration,
  NONE,
  orNone,
  percent,
  pValue,
  rate,
  signed,
  signedPercent,
} from '../report/number.ts';
import { type Difference, judgedOn } from '../report/results.ts';
import { budgetSentence } from '../report/words.ts';
import { decimal } from './format.ts';
import { paint, tableWidth, terminalWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { wrap } from './text-width.ts';

export function closingTable(comparison: Comparison): string[] {
  const split = judgedOn(comparison.arms);
  return ['', ...table(columns(split), armRows(comparison), tableWidth()), '', ...notes(comparison)];
}

const right = { align: 'right' } as const;

const columns = (split: string): Column<ArmRow>[] => [
  { title: 'arm', cell: ({ arm }) => arm, paint: (text) => paint('bold', text) },
  { title: 'seeds', cell: ({ seeds }) => String(seeds), ...right, drop: 4 },
  { title: 'validation', cell: ({ validation }) => around(validation, rate) },
  { title: 'test', cell: ({ test }) => around(test, rate) },
  { title: `Δ ${split}`, cell: ({ difference }) => withShare(difference) },
  { title: 'p', cell: ({ difference }) => orNone(difference?.p, pValue), ...right, drop: 1 },
  { title: 'p̂ generated', cell: ({ generatedSuccess }) => decimal(generatedSuccess), ...right },
  { title: 'in band', cell: ({ lateBandShare }) => orNone(lateBandShare, percent), ...right, drop: 6 },
  { title: 'useful', cell: ({ usefulShare }) => orNone(usefulShare, percent), ...right },
  { title: 'diverse', cell: ({ diversity }) => decimal(diversity), ...right, drop: 3 },
  { title: 'tasks', cell: ({ tasks }) => orNone(tasks, count), ...right, drop: 2 },
  { title: 'tokens', cell: ({ tokens }) => orNone(tokens, compact), ...right, drop: 5 },
  { title: 'time', cell: ({ minutes }) => orNone(minutes, (value) => duration(60 * value)), ...right, drop: 7 },
];

/** `0.458 ± 0.027`, or the mean alone. */
const around = (value: Estimate | null, format: (value: number) => string) =>
  value === null ? NONE : `${format(value.mean)}${value.halfWidth === null ? '' : ` ± ${rate(value.halfWidth)}`}`;

const withShare = (difference: Difference | null) =>
  around(difference, signed) + (difference?.relative == null ? '' : ` (${signedPercent(difference.relative)})`);

function notes(comparison: Comparison): string[] {
  const { arms } = comparison;
  const first = arms[0]?.name ?? '';
  const reached = catchUps(arms).flatMap(({ arm, best, firstArm }) => {
    if (!best) return [];
    const whose = `${arm}'s best validation (${rate(best.score)})`;
    return firstArm
      ? `${first} reached ${whose} after ${count(firstArm.tasks)} tasks and ${compact(firstArm.tokens)} tokens; ${arm} after ${count(best.tasks)} and ${compact(best.tokens)}.`
      : `${first} never reached ${whose}.`;
  });
  const legend =
    `± is a 95 % t-interval over the seeds · Δ ${judgedOn(arms)}: to ${first}, seed by seed; p of a sign-flip test · ` +
    'p̂ generated, useful, diverse: in the last epoch · in band: share of epochs after the first third · ' +
    'tasks: different ones attempted · tokens: of both players';
  const line = (text: string) => wrap(text, terminalWidth() - 2).map((part) => `  ${part}`);
  return [
    ...reached.flatMap(line),
    ...budgetSentence(comparison).flatMap(line),
    ...line(legend).map((part) => paint('dim', part)),
  ];
}
