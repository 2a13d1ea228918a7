/** What each arm came to: final scores over seeds, differences to another arm seed by seed, and what was spent. */

import { inBand } from '../core/curriculum.ts';
import { bandIn } from '../core/stepped-band.ts';
import type { Arm, ArmRun, Comparison } from './comparison.ts';
import { metric } from './curves.ts';
import { type Estimate, estimate, estimateShare } from './interval.ts';
import { signFlipP } from './permutation.ts';
import { runBand } from './run-band.ts';

export type Split = 'validation' | 'test';

export const SPLITS: readonly Split[] = ['validation', 'test'];

/** What arms are told apart by: the test where every run has it, else validation. */
export function judgedOn(arms: readonly Arm[]): Split {
  const runs = arms.flatMap((arm) => arm.runs);
  return runs.length > 0 && runs.every(({ test }) => test !== null) ? 'test' : 'validation';
}

/** Success after the last epoch. Validation falls back on the last epoch that measured it. */
export function score(run: ArmRun, split: Split): number | undefined {
  const final = run[split]?.successRate;
  if (final !== undefined || split === 'test') return final;
  return run.epochs.map(metric('val/successRate')).findLast((value) => value !== undefined);
}

export const scores = (arm: Arm, split: Split): number[] => arm.runs.flatMap((run) => score(run, split) ?? []);

export interface Difference extends Estimate {
  /** Seed by seed. */
  values: number[];
  /** As a share of the reference's mean over the same seeds; null where that is 0. */
  relative: number | null;
  /** Of a sign-flip test; null for a single pair, where it is always 1. */
  p: number | null;
}

/** `arm` minus `reference` over the seeds both have: what a seed brings to both arms cancels. */
export function pairedDifference(arm: Arm, reference: Arm, split: Split): Difference | null {
  const pairs = arm.runs.flatMap((run) => {
    const other = reference.runs.find((candidate) => candidate.seed === run.seed);
    const [mine, theirs] = [score(run, split), other && score(other, split)];
    return mine === undefined || theirs === undefined ? [] : [{ theirs, difference: mine - theirs }];
  });
  const values = pairs.map(({ difference }) => difference);
  const [mean, base] = [estimate(values), estimate(pairs.map(({ theirs }) => theirs))];
  if (!mean || !base) return null;
  return {
    ...mean,
    values,
    relative: base.mean === 0 ? null : mean.mean / base.mean,
    p: values.length > 1 ? signFlipP(values) : null,
  };
}

/** The arm with the highest mean on this split, or null when none was judged on it. */
export function bestArm(arms: readonly Arm[], split: Split): { arm: Arm; success: Estimate } | null {
  let best: { arm: Arm; success: Estimate } | null = null;
  for (const arm of arms) {
    const success = estimateShare(scores(arm, split));
    if (success && (!best || success.mean > best.success.mean)) best = { arm, success };
  }
  return best;
}

export interface Spent {
  tasks: number;
  rollouts: number;
  agentTokens: number;
  environmentTokens: number;
  seconds: number;
}

/** Means over seeds at the end of training; null without runs. */
export function spent({ runs }: Arm): Spent | null {
  const ends = runs.flatMap((run) => {
    const ledger = run.epochs.at(-1)?.ledger;
    return ledger ? [{ ...ledger, seconds: run.seconds }] : [];
  });
  if (ends.length === 0) return null;
  const mean = (key: keyof Spent) => ends.reduce((sum, end) => sum + end[key], 0) / ends.length;
  return {
    tasks: mean('tasks'),
    rollouts: mean('rollouts'),
    agentTokens: mean('agentTokens'),
    environmentTokens: mean('environmentTokens'),
    seconds: mean('seconds'),
  };
}

export interface Calibration {
  /** Epochs of all seeds in which tasks were generated, and those of them with success inside the band of then. */
  epochs: number;
  inside: number;
  first: number;
  last: number;
}

/** Whether success on generated tasks stayed in the band; null for an arm that generates none. */
export function calibration({ runs }: Arm, band: Comparison['band']): Calibration | null {
  const curves = runs.map((run) =>
    run.epochs.flatMap((point) => {
      const rate = metric('env/successRate')(point);
      return rate === undefined ? [] : [{ rate, inside: inBand(rate, bandIn(runBand(band, run), point.epoch)) }];
    }),
  );
  const all = curves.flat();
  const ends = (index: 0 | -1) => estimate(curves.flatMap((curve) => curve.at(index)?.rate ?? []));
  const [first, last] = [ends(0), ends(-1)];
  if (!first || !last) return null;
  return { epochs: all.length, inside: all.filter(({ inside }) => inside).length, first: first.mean, last: last.mean };
}
