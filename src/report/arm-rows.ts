/** What every arm came to, a row each: what the closing table of the terminal, its JSON and the tables of the report show. */
import { type Band, inBand } from '../core/curriculum.ts';
import { bandIn } from '../core/stepped-band.ts';
import type { ArmRun, Comparison } from './comparison.ts';
import { metric } from './curves.ts';
import { type Estimate, estimate, estimateShare } from './interval.ts';
import { type Difference, judgedOn, pairedDifference, scores, spent } from './results.ts';
import { runBand } from './run-band.ts';

export interface ArmRow {
  arm: string;
  seeds: number;
  validation: Estimate | null;
  test: Estimate | null;
  /** To the first arm, on what `judgedOn` says; null for the first arm itself. */
  difference: Difference | null;
  /** The others are means over the seeds. Success on generated tasks, useful groups and diversity in the last epoch. */
  generatedSuccess: number | null;
  lateBandShare: number | null;
  usefulShare: number | null;
  diversity: number | null;
  responseTokens: { first: number | null; last: number | null };
  /** Different tasks attempted, rollouts, and tokens of both players. */
  tasks: number | null;
  rollouts: number | null;
  tokens: number | null;
  agentTokens: number | null;
  environmentTokens: number | null;
  minutes: number | null;
}

export function armRows({ arms, band }: Pick<Comparison, 'arms' | 'band'>): ArmRow[] {
  const split = judgedOn(arms);
  return arms.map((arm, i): ArmRow => {
    const over = (of: (run: ArmRun) => number | undefined) =>
      estimate(arm.runs.flatMap((run) => of(run) ?? []))?.mean ?? null;
    const last = (key: string) => over((run) => series(run, key).at(-1));
    const spending = spent(arm);
    return {
      arm: arm.name,
      seeds: arm.runs.length,
      validation: estimateShare(scores(arm, 'validation')),
      test: estimateShare(scores(arm, 'test')),
      difference: i === 0 ? null : pairedDifference(arm, arms[0]!, split),
      generatedSuccess: last('env/successRate'),
      lateBandShare: over((run) => lateBandShare(run, band)),
      usefulShare: last('env/usefulShare'),
      diversity: last('env/diversity'),
      responseTokens: {
        first: over((run) => series(run, 'agent/responseTokens')[0]),
        last: last('agent/responseTokens'),
      },
      tasks: spending?.tasks ?? null,
      rollouts: spending?.rollouts ?? null,
      tokens: spending && spending.agentTokens + spending.environmentTokens,
      agentTokens: spending?.agentTokens ?? null,
      environmentTokens: spending?.environmentTokens ?? null,
      minutes: spending && spending.seconds / 60,
    };
  });
}

const series = ({ epochs }: Pick<ArmRun, 'epochs'>, key: string): number[] =>
  epochs.flatMap((point) => metric(key)(point) ?? []);

/** Share of the epochs from one third of the run on in which success on generated tasks was inside the band. */
export function lateBandShare(run: Pick<ArmRun, 'epochs' | 'alphaSteps'>, band: Band): number | undefined {
  const last = run.epochs.at(-1)?.epoch ?? 0;
  const late = run.epochs.flatMap((point) => {
    const rate = point.epoch > last / 3 ? metric('env/successRate')(point) : undefined;
    return rate === undefined ? [] : [inBand(rate, bandIn(runBand(band, run), point.epoch))];
  });
  return late.length === 0 ? undefined : late.filter(Boolean).length / late.length;
}

/** A budget this much larger or smaller than the first arm's is worth a word. */
const SAME_BUDGET = 0.05;

/** Arms that did not spend what the first one did: rejected generations, or a base set smaller than an epoch. */
export function unequalBudgets(rows: readonly ArmRow[]): { arm: string; ratio: number }[] {
  const usual = rows[0]?.rollouts;
  if (!usual) return [];
  return rows
    .flatMap(({ arm, rollouts }) => (rollouts === null ? [] : [{ arm, ratio: rollouts / usual }]))
    .filter(({ ratio }) => Math.abs(ratio - 1) > SAME_BUDGET);
}
