/** `genenv show`: a run, its tasks, one task, one rollout, one generation, or its digest. */
import { digest, openReader, type RunReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import type { CommonOptions } from './options.ts';
import { findRun } from './run-folder.ts';
import { say, sayJson } from './say.ts';
import { showGeneration } from './show-generation.ts';
import { showRun } from './show-run.ts';
import { showTask } from './show-task.ts';
import { showTasks } from './show-tasks.ts';
import { showTrace } from './show-trace.ts';
import { findTaskId, type Place, readId, type Wanted } from './task-lookup.ts';

export interface ShowOptions extends CommonOptions {
  digest?: boolean;
  tasks?: boolean;
  search?: string;
  epoch?: string;
  limit?: string;
}

export function show(name: string, id: string | undefined, options: ShowOptions): void {
  const { run, folder, runsDir } = findRun(name, options);
  // Whoever searches or asks for an epoch means the tasks.
  const tasks = options.tasks || options.search !== undefined || options.epoch !== undefined;
  if ([id !== undefined, tasks, options.digest].filter(Boolean).length > 1) {
    throw new UsageError('An id, --tasks and --digest show different things. Give one of them.');
  }
  if (options.digest) {
    const sha256 = digest(folder);
    if (options.json) sayJson({ run, digest: sha256 });
    else say(sha256);
    return;
  }
  using reader = openReader(folder);
  const place = { ...options, run, runsDir };
  if (tasks) showTasks(reader, options, place);
  else if (id === undefined) showRun(run, reader, place);
  else showOne(reader, readId(id), place);
}

function showOne(reader: RunReader, wanted: Wanted, place: Place): void {
  switch (wanted.kind) {
    case 'generation':
      showGeneration(reader, wanted.id, place);
      break;
    case 'trace':
      showTrace(reader, wanted, place);
      break;
    case 'task':
      showTask(reader, findTaskId(reader, wanted.task, place), place);
      break;
    default:
      wanted satisfies never;
  }
}
