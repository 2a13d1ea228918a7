/** What each arm had to spend to get as far as each arm got: data efficiency without a chosen threshold. */
import type { Arm } from './comparison.ts';
import { meanCurve, metric, tasks, tokens } from './curves.ts';

/** The mean validation of an arm after an epoch, and what it had spent by then. */
export interface Reached {
  epoch: number;
  score: number;
  tasks: number;
  tokens: number;
}

export interface Milestone {
  /** Whose best mean score it is. */
  arm: string;
  score: number;
  /** By arm, in order: the end of the first epoch whose mean is that high; null where none is. */
  costs: (Reached | null)[];
}

/** Of the arms that were validated. */
export function milestones(arms: readonly Arm[]): Milestone[] {
  const courses = arms.map(course);
  return arms.flatMap((arm, i) => {
    const scores = courses[i]!.map((point) => point.score);
    if (scores.length === 0) return [];
    const score = Math.max(...scores);
    return [{ arm: arm.name, score, costs: courses.map((points) => points.find((p) => p.score >= score) ?? null) }];
  });
}

/** A mean over some of the seeds would rise or fall with who is missing, so epochs that some run lacks are left out. */
function course(arm: Arm): Reached[] {
  const validation = metric('val/successRate');
  const byTokens = meanCurve(arm, validation, tokens);
  return meanCurve(arm, validation, tasks).flatMap((point, i) =>
    point && point.n === arm.runs.length
      ? [{ epoch: point.epoch, score: point.mean, tasks: point.x, tokens: byTokens[i]!.x }]
      : [],
  );
}

export interface CatchUp {
  arm: string;
  /** When the arm was at its best, first; null where it was not validated. */
  best: Reached | null;
  /** When the first arm was first as good; null if it never was. */
  firstArm: Reached | null;
}

/** For every other arm: what it had spent at its best, and what the first arm needed to come up to that. */
export function catchUps(arms: readonly Arm[]): CatchUp[] {
  const reached = milestones(arms);
  return arms.slice(1).map(({ name }, i) => {
    const costs = reached.find(({ arm }) => arm === name)?.costs;
    return { arm: name, best: costs?.[i + 1] ?? null, firstArm: costs?.[0] ?? null };
  });
}
