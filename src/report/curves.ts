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

/** The mean over seeds at each epoch, of both axes; null where no seed measured it between epochs where one did. */
export function meanCurve({ runs }: Pick<Arm, 'runs'>, y: Measure, x: Measure = epoch): (CurvePoint | null)[] {
  const epochs = [...new Set(runs.flatMap((run) => run.epochs.map((point) => point.epoch)))].sort((a, b) => a - b);
  const points = epochs.map((at) => {
    const here = runs.flatMap((run) =>
      run.epochs.filter((p) => p.epoch === at && y(p) !== undefined && x(p) !== undefined),
    );
    const mean = estimate(here.map((p) => y(p)!));
    return mean && { ...mean, epoch: at, x: estimate(here.map((p) => x(p)!))!.mean };
  });
  return trimmed(points);
}

export const seedCurve = ({ epochs }: ArmRun, y: Measure, x: Measure = epoch): ({ x: number; y: number } | null)[] =>
  trimmed(
    epochs.map((point) => {
      const [left, up] = [x(point), y(point)];
      return left === undefined || up === undefined ? null : { x: left, y: up };
    }),
  );

/** What was never measured at either end is no gap. */
function trimmed<T>(points: readonly (T | null)[]): (T | null)[] {
  const first = points.findIndex((p) => p !== null);
  return first < 0 ? [] : points.slice(first, points.findLastIndex((p) => p !== null) + 1);
}

/** Nobody can tell the numbers of an arm that no run measured from zeros: ask before drawing. */
export const measured = (arms: readonly Arm[], y: Measure): boolean =>
  arms.some((arm) => arm.runs.some((run) => run.epochs.some((point) => y(point) !== undefined)));
