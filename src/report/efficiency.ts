/** What each arm had to spend to get as far as each arm got: data efficiency without a chosen threshold. */
import type { Arm } from './comparison.ts';
import { type CurvePoint, meanCurve, metric, tasks, tokens } from './curves.ts';

export interface Cost {
  epoch: number;
  tasks: number;
  tokens: number;
}

export interface Milestone {
  /** Whose best mean score it is. */
  arm: string;
  score: number;
  /** By arm, in order: spent at the end of the first epoch whose mean is that high; null where none is. */
  costs: (Cost | null)[];
}

export function milestones(arms: readonly Arm[]): Milestone[] {
  const curves = arms.map((arm) => ({
    byTasks: known(meanCurve(arm, metric('val/successRate'), tasks)),
    byTokens: known(meanCurve(arm, metric('val/successRate'), tokens)),
  }));
  return arms.flatMap((arm, i) => {
    const means = curves[i]!.byTasks.map((point) => point.mean);
    if (means.length === 0) return [];
    const score = Math.max(...means);
    const costs = curves.map(({ byTasks, byTokens }) => {
      const at = byTasks.findIndex((point) => point.mean >= score);
      return at < 0 ? null : { epoch: byTasks[at]!.epoch, tasks: byTasks[at]!.x, tokens: byTokens[at]!.x };
    });
    return [{ arm: arm.name, score, costs }];
  });
}

const known = (curve: readonly (CurvePoint | null)[]): CurvePoint[] => curve.filter((point) => point !== null);
