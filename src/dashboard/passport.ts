/** From a task to its passport, and to its rollouts side by side. */
import type { Group, Role } from '../core/types.ts';
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

interface AskedGroup {
  epoch?: number | undefined;
  role?: Role | undefined;
}

/** The group asked for; where none is, the one of the last epoch. */
export function rolloutPage(reader: RunReader, taskId: string, asked: AskedGroup): RolloutPage | null {
  const outcomes = reader.passport(taskId)?.outcomes ?? [];
  const group = groupAmong(reader, taskId, outcomes, asked);
  if (!group) return null;
  return {
    task: taskView(group.task),
    epoch: group.epoch,
    role: group.role,
    threshold: configOf(reader).config.curriculum.successThreshold,
    traces: group.traces.map(traceView),
    groups: outcomes.map(({ epoch, role }) => ({ epoch, role })),
  };
}

export const rolloutGroup = (reader: RunReader, taskId: string, asked: AskedGroup): Group | undefined =>
  groupAmong(reader, taskId, reader.passport(taskId)?.outcomes ?? [], asked);

function groupAmong(
  reader: RunReader,
  taskId: string,
  outcomes: PassportPage['outcomes'],
  asked: AskedGroup,
): Group | undefined {
  const wanted = outcomes.findLast(
    ({ epoch, role }) => (asked.epoch ?? epoch) === epoch && (asked.role ?? role) === role,
  );
  return wanted && reader.group(wanted.epoch, taskId, wanted.role);
}
