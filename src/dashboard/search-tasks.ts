/**
 * A search through the tasks of a run, newest first, in slices: between two of them other pages get their answers, and a
 * search that nobody waits for any more (the next letter was typed) ends.
 */
import { setImmediate } from 'node:timers/promises';
import type { Browse, TaskFilter, TaskListRow } from '../store/index.ts';
import type { TaskListPage } from './api.ts';

/** Tasks looked at in one go: some ten milliseconds. */
const SLICE_ROWS = 8000;
const ROWS_SHOWN = 100;

export async function searchTasks(
  browse: Pick<Browse, 'taskList'>,
  filter: TaskFilter,
  signal?: AbortSignal,
): Promise<TaskListPage> {
  const limit = filter.limit ?? ROWS_SHOWN;
  const found: TaskListRow[] = [];
  let before = filter.before ?? (browse.taskList({ limit: 1 })[0]?.row ?? 0) + 1;
  while (before > 1 && found.length <= limit && !signal?.aborted) {
    const after = Math.max(0, before - 1 - SLICE_ROWS);
    found.push(...browse.taskList({ ...filter, before, after, limit: limit + 1 - found.length }));
    before = after + 1;
    await setImmediate();
  }
  return { tasks: found.slice(0, limit), more: found.length > limit };
}
