/** Arms as lines: which look each has, what its curves are, and what the legend says of them. */
import type { Arm, Comparison } from '../comparison.ts';
import { epoch, type Measure, meanCurve, seedCurve } from '../curves.ts';
import { bounded, type Estimate } from '../interval.ts';
import { counted, withInterval } from '../number.ts';
import { bandText, commonBand, commonStretches } from '../run-band.ts';
import type { LegendEntry } from '../svg/figure.ts';
import { intervalKey, lineKey, targetKey, threadKey } from '../svg/legend.ts';
import type { Line, Target } from '../svg/line-chart.ts';
import { AGENT, ENVIRONMENT, type Look, look } from '../svg/look.ts';

/** Whose number it is. */
export type Player = 'agent' | 'environment';

/** More threads than this hide the means they belong to. */
const MOST_THREADS = 16;

/** The interval of two seeds is 12.7 times as wide as their distance: a band would hide everything. */
const FEWEST_FOR_BAND = 3;

export function lookOf(arms: readonly Arm[], index: number, player: Player = 'agent'): Look {
  if (arms.length > 1) return look(index);
  return player === 'agent' ? AGENT : ENVIRONMENT;
}

export interface ArmLines {
  y: Measure;
  x?: Measure;
  player?: Player;
  format: (value: number) => string;
  /** Where the number can lie. */
  within: readonly [number, number];
}

export function armLines(arms: readonly Arm[], { y, x = epoch, player = 'agent', format, within }: ArmLines): Line[] {
  return arms.map((arm, i) => ({
    name: arm.name,
    look: lookOf(arms, i, player),
    points: meanCurve(arm, y, x).map((point) => {
      if (!point) return null;
      const here = bounded(point, within);
      const hover = `${arm.name}, epoch ${point.epoch}: ${withInterval(here, format)}, ${counted(point.n, 'seed')}`;
      return { x: point.x, y: point.mean, ...(here.n < FEWEST_FOR_BAND ? {} : ends(here)), hover };
    }),
    threads: showsThreads(arms) && arm.runs.length > 1 ? arm.runs.map((run) => seedCurve(run, y, x)) : [],
  }));
}

/** The interval as a drawing takes it. */
export const ends = ({ interval }: Estimate): { low?: number; high?: number } =>
  interval ? { low: interval[0], high: interval[1] } : {};

const showsThreads = (arms: readonly Arm[]) => arms.reduce((sum, arm) => sum + arm.runs.length, 0) <= MOST_THREADS;

/**
 * The arms that measured any of these, and what the marks around their lines mean. One arm alone needs no name; where both
 * players have lines, they do.
 */
export function lineLegend(
  { arms }: Pick<Comparison, 'arms'>,
  measures: readonly Measure[],
  players: readonly Player[] = [],
): LegendEntry[] {
  const drawn = (arm: Arm) => arm.runs.some((run) => run.epochs.some((p) => measures.some((m) => m(p) !== undefined)));
  const seeds = Math.max(...arms.map((arm) => arm.runs.length));
  return [
    ...(arms.length > 1
      ? arms.flatMap((arm, i) => (drawn(arm) ? lineKey(arm.name, lookOf(arms, i)) : []))
      : players.map((player) => lineKey(player, lookOf(arms, 0, player)))),
    ...(seeds >= FEWEST_FOR_BAND ? [intervalKey('95 % interval of the mean over seeds')] : []),
    ...(seeds > 1 && showsThreads(arms) ? [threadKey('single seeds')] : []),
  ];
}

/** The band to aim at as a drawing takes it, a stretch for each α. */
export const bandLimits = (comparison: Comparison): Target[] =>
  commonStretches(comparison).map(({ from, to, alpha, kMin }) => ({
    from,
    to,
    low: Math.max(0, alpha - kMin),
    high: Math.min(1, alpha + kMin),
    aim: alpha,
  }));

export const bandLegend = (comparison: Comparison): LegendEntry =>
  targetKey(`band to aim at, ${bandText(commonBand(comparison))}`);
