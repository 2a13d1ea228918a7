/** Tasks, rollouts and generations by what is typed: whole ids, or as much of one as is unique. */
import type { Role } from '../core/types.ts';
import type { RunReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { command } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { visible } from './visible.ts';

export type Wanted =
  | { kind: 'generation'; id: string }
  | { kind: 'trace'; task: string; epoch: number; role?: Role; index: number }
  | { kind: 'task'; task: string };

/** `3.0.2` is a generation, `t-3f9a/3/0` a rollout, anything else the beginning of a task's id. */
export function readId(id: string): Wanted {
  if (/^\d+\.\d+\.\d+$/.test(id)) return { kind: 'generation', id };
  const rollout = /^([^/]+)\/(\d{1,9})\/(?:(fresh|base|replay|fixed|validation|test)\/)?(\d{1,9})$/.exec(id);
  if (!rollout) return { kind: 'task', task: id };
  const [, task = '', epoch, role, index] = rollout;
  // The pattern names the roles.
  const named = role === undefined ? {} : { role: role as Role };
  return { kind: 'trace', task, epoch: Number(epoch), index: Number(index), ...named };
}

/** Says the run and the options in the way out. */
export interface Place extends CommonOptions {
  run: string;
}

const SHOWN = 5;
const EVERYTHING = ['base', 'validation', 'test', 'generated', 'teacher'] as const;

/** The one task whose id begins like this; the `t-` may be left out, and the `…` of a narrow table may be there. */
export function findTaskId(reader: RunReader, typed: string, place: Place): string {
  const wanted = typed.toLowerCase().replace(/…$/, '');
  const matches: string[] = [];
  for (const { id } of reader.heads(EVERYTHING, Number.MAX_SAFE_INTEGER)) {
    if (id === typed) return id;
    if (wanted !== '' && (id.startsWith(wanted) || id.startsWith(`t-${wanted}`))) matches.push(id);
  }
  if (matches.length === 1) return matches[0]!;
  const list = command(place, 'show', place.run, '--tasks');
  if (matches.length === 0) {
    throw new UsageError(
      `${visible(place.run)} has no task, rollout or generation "${visible(typed)}". List its tasks with: ${list}`,
    );
  }
  const more = matches.length > SHOWN ? ` and ${matches.length - SHOWN} more` : '';
  throw new UsageError(
    `"${visible(typed)}" is the beginning of ${matches.length} ids: ${matches.slice(0, SHOWN).join(', ')}${more}. Type more of it.`,
  );
}
