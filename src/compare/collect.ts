/** The comparison of a plan, from the folders of its runs. */
import { collectRun, setting } from '../comparison.ts';
import type { Comparison } from '../report/comparison.ts';
import { type Plan, type PlannedRun, settingsOf } from './plan.ts';

/** As far as its runs are finished. */
export function collect(plan: Plan, finished: readonly PlannedRun[], createdAt: string): Comparison {
  const [first] = plan.arms;
  if (!first) throw new TypeError('a plan has at least one arm');
  return {
    title: plan.name,
    command: plan.command,
    version: plan.version,
    createdAt,
    ...setting(first.config),
    seeds: plan.seeds,
    arms: plan.arms.map((arm) => ({
      name: arm.name,
      description: arm.description,
      settings: settingsOf(arm, first),
      runs: finished.filter((run) => run.arm === arm.name).map(collectRun),
    })),
  };
}
