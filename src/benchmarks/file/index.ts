/** Your own tasks: a JSONL file of seeds and, if you have one, a JSONL file of held-out tasks. */
import { readFile } from 'node:fs/promises';
import type { Benchmark, TaskDraft } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Origin, Task } from '../../core/types.ts';

/** Reads one line's JSON as a task, or says what is wrong with it. */
export type ReadDraft = (value: unknown) => { draft: TaskDraft } | { problem: string };

export interface FileOptions {
  seeds: string;
  validation?: string;
  baseTasks?: number;
  readDraft: ReadDraft;
}

/** A problem the user must fix in a data file, at its place. */
export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

export function fileBenchmark({ seeds, validation, baseTasks, readDraft }: FileOptions): Benchmark {
  const base = async () => (await readTasks(seeds, 'base', readDraft)).slice(0, baseTasks);
  return {
    name: 'file',
    base,
    async validation() {
      if (validation === undefined) return [];
      const trained = new Set((await base()).map((task) => task.id));
      return readTasks(validation, 'validation', readDraft, (id) =>
        trained.has(id) ? `this task is also in ${seeds}. A held-out task must not be trained on.` : undefined,
      );
    },
  };
}

async function readTasks(
  path: string,
  origin: Origin,
  readDraft: ReadDraft,
  problemWith: (id: string) => string | undefined = () => undefined,
): Promise<Task[]> {
  const tasks = new Map<string, Task>();
  (await readUtf8(path)).split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const read = readDraft(parseLine(line, `${path}:${i + 1}`));
    if ('problem' in read) throw new TaskFileError(`${path}:${i + 1}  ${read.problem}`);
    const { draft } = read;
    if (draft.eval.kind === 'script') {
      throw new TaskFileError(
        `${path}:${i + 1}  eval.kind script needs the sandbox, which this version does not have. Use toolCalls, json or text.`,
      );
    }
    const task = rootTask(draft, origin);
    const problem = problemWith(task.id);
    if (problem) throw new TaskFileError(`${path}:${i + 1}  ${problem}`);
    tasks.set(task.id, task);
  });
  if (tasks.size === 0)
    throw new TaskFileError(`${path} holds no task. Write one JSON object a line: {"prompt", "tools", "eval"}.`);
  return [...tasks.values()];
}

async function readUtf8(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new TaskFileError(
      `Cannot read the task file ${path}: ${reason(error)}. Check benchmark.seeds and benchmark.validation.`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TaskFileError(`${path} is not valid UTF-8. Save it as UTF-8.`);
  }
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new TaskFileError(`${place}  not JSON: ${reason(error)}`);
  }
}

const reason = (error: unknown) =>
  error instanceof Error
    ? 'code' in error && error.code === 'ENOENT'
      ? 'no such file'
      : error.message
    : String(error);
