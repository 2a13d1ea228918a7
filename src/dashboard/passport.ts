/** From a task to its passport, and to its rollouts side by side. */
import type { Role } from '../core/types.ts';
import type { RunReader } from '../store/index.ts';
import type { PassportPage, RolloutPage } from './api.ts';
import { configOf } from './run-head.ts';
import { generationView, taskView, traceView } from './views.ts';

export function passportPage({ passport, browse }: RunReader, taskId: string): PassportPage | null {
  const found = passport(taskId);
  if (!found) return null;
  const { task, variations, generations, outcomes, scores, pools, quarantine } = found;
  return {
    task: taskView(task),
    relatives: browse.relatives(taskId),
    variations,
    generations: generations.map(generationView),
    outcomes,
    scores,
    pools,
    quarantine: quarantine ?? null,
  };
}

/** The group asked for; where none is, the one of the last epoch. */
export function rolloutPage(
  reader: RunReader,
  taskId: string,
  asked: { epoch?: number | undefined; role?: Role | undefined },
): RolloutPage | null {
  const passport = reader.passport(taskId);
  const wanted = passport?.outcomes.findLast(
    ({ epoch, role }) => (asked.epoch ?? epoch) === epoch && (asked.role ?? role) === role,
  );
  const group = wanted && reader.group(wanted.epoch, taskId, wanted.role);
  if (!passport || !group) return null;
  return {
    task: taskView(group.task),
    epoch: group.epoch,
    role: group.role,
    threshold: configOf(reader).config.curriculum.successThreshold,
    traces: group.traces.map(traceView),
    groups: passport.outcomes.map(({ epoch, role }) => ({ epoch, role })),
  };
}
