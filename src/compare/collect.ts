/** The comparison of a plan, from the folders of its runs. */
import { collectRun, setting } from '../comparison.ts';
import type { Comparison } from '../report/comparison.ts';
import { type Plan, type PlannedRun, settingsOf } from './plan.ts';

/** As far as its runs are finished. */
export async function collect(plan: Plan, finished: readonly PlannedRun[], createdAt: string): Promise<Comparison> {
  const [first] = plan.arms;
  if (!first) throw new TypeError('a plan has at least one arm');
  return {
    title: plan.name,
    command: plan.command,
    version: plan.version,
    createdAt,
    ...setting(first.config),
    seeds: plan.seeds,
    arms: await Promise.all(
      plan.arms.map(async (arm) => ({
        name: arm.name,
        description: arm.description,
        settings: settingsOf(arm, first),
        runs: await Promise.all(finished.filter((run) => run.arm === arm.name).map(collectRun)),
      })),
    ),
  };
}
