/**
 * What the seeds of a comparison allow to be said: means with intervals, differences paired by seed, and the tables that
 * the terminal and the reports show. Pure: a `Comparison` in, numbers out.
 */
import { betaCdf } from '../core/beta.ts';
import { type Band, inBand } from '../core/curriculum.ts';
import type { Ledger } from '../core/journal.ts';
import type { Arm, ArmRun, Comparison, EpochPoint } from './comparison.ts';

export interface Interval {
  n: number;
  mean: number;
  /** Of the 95% t-interval; null for a single value, which says nothing about others. */
  halfWidth: number | null;
}

/** Mean and 95% t-interval; null where there is nothing to take the mean of. */
export function interval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n === 0) return null;
  const centre = mean(values);
  if (n === 1) return { n, mean: centre, halfWidth: null };
  const variance = sum(values.map((value) => (value - centre) ** 2)) / (n - 1);
  return { n, mean: centre, halfWidth: tQuantile(n - 1) * Math.sqrt(variance / n) };
}

/** The t that |T| exceeds with probability 0.05, for `df` degrees of freedom: 12.706 for 1, 2.776 for 4, 1.960 for many. */
export function tQuantile(df: number): number {
  const beyond = (t: number) => betaCdf(df / (df + t * t), df / 2, 0.5);
  let [low, high] = [0, 13];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > 0.05) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Above this many pairs, all assignments of signs are too many to go through. */
const MAX_EXACT_PAIRS = 20;

/**
 * Two-sided p-value of the sign-flip permutation test, exact: if the arms were alike, each difference could as well have
 * had the other sign. With n pairs it can't be below 2/2ⁿ: 0.0625 for 5 seeds.
 */
export function signFlipP(differences: readonly number[]): number | null {
  const [first, ...others] = differences;
  if (first === undefined || differences.length > MAX_EXACT_PAIRS) return null;
  // Sums that are equal on paper must not differ over the last bit.
  const observed = Math.abs(sum(differences)) - 1e-9 * sum(differences.map(Math.abs));
  const assignments = 2 ** others.length;
  let extreme = 0;
  // The first sign stays: the assignments with the other one are mirror images.
  for (let signs = 0; signs < assignments; signs++) {
    const total = others.reduce((so, d, i) => so + ((signs >> i) & 1 ? -d : d), first);
    if (Math.abs(total) >= observed) extreme++;
  }
  return extreme / assignments;
}

/** One number of a run; null where the run does not have it. */
export type Measure = (run: ArmRun) => number | null;

export interface Difference extends Interval {
  /** Share of the reference's mean; null where that is 0. */
  relative: number | null;
  p: number | null;
}

/** How an arm differs from another, seed by seed: what the seeds have in common cancels out. */
export function pairedDifference(arm: Arm, reference: Arm, measure: Measure): Difference | null {
  const pairs = arm.runs.flatMap((run) => {
    const other = reference.runs.find(({ seed }) => seed === run.seed);
    const [own, its] = [measure(run), other ? measure(other) : null];
    return own === null || its === null ? [] : [{ its, difference: own - its }];
  });
  const differences = pairs.map(({ difference }) => difference);
  const found = interval(differences);
  if (!found) return null;
  const base = mean(pairs.map(({ its }) => its));
  return { ...found, relative: base === 0 ? null : found.mean / base, p: signFlipP(differences) };
}

export const measures: Record<'validation' | 'test', Measure> = {
  validation: (run) => run.validation?.successRate ?? null,
  test: (run) => run.test?.successRate ?? null,
};

/** What arms are told apart by: the test split where every arm was judged on one, else validation. */
export const judgedOn = ({ arms }: Comparison): 'validation' | 'test' =>
  arms.every(({ runs }) => runs.every(({ test }) => test !== null)) ? 'test' : 'validation';

const series = (run: ArmRun, key: string): number[] => run.epochs.flatMap(({ metrics }) => metrics[key] ?? []);

/** The value of a metric when the run ended. */
export const lastOf =
  (key: string): Measure =>
  (run) =>
    series(run, key).at(-1) ?? null;

/** Share of the epochs from one third of the run on in which success on generated tasks was inside the band. */
export function lateBandShare(run: ArmRun, band: Band): number | null {
  const last = run.epochs.at(-1)?.epoch ?? 0;
  const late = series({ ...run, epochs: run.epochs.filter(({ epoch }) => epoch > last / 3) }, 'env/successRate');
  return late.length === 0 ? null : late.filter((rate) => inBand(rate, band)).length / late.length;
}

export interface ArmRow {
  arm: string;
  seeds: number;
  validation: Interval | null;
  test: Interval | null;
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
  minutes: number | null;
}

/** The closing table: a row per arm. */
export function armRows(comparison: Comparison): ArmRow[] {
  const { arms, band } = comparison;
  const measure = measures[judgedOn(comparison)];
  return arms.map((arm, i): ArmRow => {
    const over = (of: Measure) => meanOf(arm.runs.map(of));
    const spent = (of: (ledger: Ledger) => number) => over((run) => (run.epochs.length > 0 ? of(endOf(run)) : null));
    return {
      arm: arm.name,
      seeds: arm.runs.length,
      validation: interval(known(arm.runs.map(measures.validation))),
      test: interval(known(arm.runs.map(measures.test))),
      difference: i === 0 ? null : pairedDifference(arm, arms[0]!, measure),
      generatedSuccess: over(lastOf('env/successRate')),
      lateBandShare: over((run) => lateBandShare(run, band)),
      usefulShare: over(lastOf('env/usefulShare')),
      diversity: over(lastOf('env/diversity')),
      responseTokens: {
        first: over((run) => series(run, 'agent/responseTokens')[0] ?? null),
        last: over(lastOf('agent/responseTokens')),
      },
      tasks: spent(({ tasks }) => tasks),
      rollouts: spent(({ rollouts }) => rollouts),
      tokens: spent(tokensOf),
      minutes: over(({ seconds }) => seconds / 60),
    };
  });
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

/** An arm's mean validation score after an epoch, and what it had spent by then. */
export interface CurvePoint {
  epoch: number;
  score: number;
  tasks: number;
  tokens: number;
}

/** The mean over the arm's seeds, epoch by epoch where all of them were evaluated. */
export function validationCurve({ runs }: Arm): CurvePoint[] {
  const epochs = runs[0]?.epochs.map(({ epoch }) => epoch) ?? [];
  return epochs.flatMap((epoch) => {
    const points = runs.flatMap((run) => run.epochs.filter((point) => point.epoch === epoch));
    const scores = known(points.map(({ metrics }) => metrics['val/successRate'] ?? null));
    if (scores.length < runs.length) return [];
    const spent = (of: (ledger: Ledger) => number) => mean(points.map(({ ledger }) => of(ledger)));
    return [{ epoch, score: mean(scores), tasks: spent(({ tasks }) => tasks), tokens: spent(tokensOf) }];
  });
}

/** The best point of the mean curve: its maximum over epochs, reached first. */
export const bestPoint = (arm: Arm): CurvePoint | null =>
  validationCurve(arm).reduce<CurvePoint | null>(
    (best, point) => (best && best.score >= point.score ? best : point),
    null,
  );

/** What an arm had spent when its mean curve first reached a score; null if it never did. */
export const costToReach = (arm: Arm, score: number): CurvePoint | null =>
  validationCurve(arm).find((point) => point.score >= score) ?? null;

export interface Efficiency {
  arm: string;
  best: CurvePoint | null;
  /** What the first arm had spent when it was as good; null if it never was. */
  firstArm: CurvePoint | null;
}

/** Data efficiency: for every other arm, its best score, and what the first arm needed to reach it. */
export function efficiency({ arms }: Comparison): Efficiency[] {
  const [first, ...others] = arms;
  return others.map((arm) => {
    const best = bestPoint(arm);
    return { arm: arm.name, best, firstArm: first && best ? costToReach(first, best.score) : null };
  });
}

export const tokensOf = ({ agentTokens, environmentTokens }: Ledger): number => agentTokens + environmentTokens;

const endOf = (run: ArmRun): Ledger => (run.epochs.at(-1) as EpochPoint).ledger; // Callers have looked.
const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

function meanOf(values: readonly (number | null)[]): number | null {
  const found = known(values);
  return found.length > 0 ? mean(found) : null;
}
