/** From runs to curves: per seed, and their mean at every epoch with its interval. */
import type { Arm, ArmRun, EpochPoint } from './comparison.ts';
import { type Estimate, estimate } from './interval.ts';

/** A number of an epoch, undefined where it was not measured. */
export type Measure = (point: EpochPoint) => number | undefined;

export const metric =
  (key: string): Measure =>
  ({ metrics }) => {
    const value = metrics[key];
    return Number.isFinite(value) ? value : undefined;
  };

export const epoch: Measure = (point) => point.epoch;
export const tasks: Measure = ({ ledger }) => ledger.tasks;
/** Of both players: the simulator's output is part of the bill. */
export const tokens: Measure = ({ ledger }) => ledger.agentTokens + ledger.environmentTokens;

export interface CurvePoint extends Estimate {
  epoch: number;
  x: number;
}

/** The mean over seeds at each epoch, of both axes; a null is a gap. */
export function meanCurve({ runs }: Pick<Arm, 'runs'>, y: Measure, x: Measure = epoch): (CurvePoint | null)[] {
  const known = runs.flatMap((run) => run.epochs.filter((p) => y(p) !== undefined && x(p) !== undefined));
  const epochs = [...new Set(known.map((point) => point.epoch))].sort((a, b) => a - b);
  const points = epochs.map((at): CurvePoint => {
    const here = known.filter((point) => point.epoch === at);
    return { ...estimate(here.map((p) => y(p)!))!, epoch: at, x: estimate(here.map((p) => x(p)!))!.mean };
  });
  return withGaps(points);
}

export const seedCurve = (run: ArmRun, y: Measure, x: Measure = epoch): ({ x: number; y: number } | null)[] =>
  meanCurve({ runs: [run] }, y, x).map((point) => point && { x: point.x, y: point.mean });

/** What is measured every fifth epoch has no gap at a distance of five; what is measured every epoch has one at two. */
function withGaps(points: readonly CurvePoint[]): (CurvePoint | null)[] {
  const steps = points.slice(1).map((point, i) => point.epoch - points[i]!.epoch);
  const times = (step: number) => steps.filter((other) => other === step).length;
  const usual = steps.reduce((best, step) => (times(step) > times(best) ? step : best), steps[0] ?? 1);
  return points.flatMap((point, i) => (i > 0 && steps[i - 1]! > usual ? [null, point] : [point]));
}

/** Whether any run has it. */
export const measured = (arms: readonly Arm[], y: Measure): boolean =>
  arms.some((arm) => arm.runs.some((run) => run.epochs.some((point) => y(point) !== undefined)));
