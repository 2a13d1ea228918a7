/** Your own tasks: a JSONL file of seeds and, if you have them, JSONL files of tasks held out for validation and test. */
import { readFile } from 'node:fs/promises';
import type { Benchmark, TaskDraft } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Origin, Task } from '../../core/types.ts';

/** Reads one line's JSON as a task, or says what is wrong with it. */
export type ReadDraft = (value: unknown) => { draft: TaskDraft } | { problem: string };

export interface FileOptions {
  seeds: string;
  validation?: string;
  test?: string;
  baseTasks?: number;
  readDraft: ReadDraft;
}

/** A problem the user must fix in a data file, at its place. */
export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

export function fileBenchmark(options: FileOptions): Benchmark {
  const { seeds, baseTasks, readDraft } = options;
  const base = async () => (await readTasks(seeds, 'base', readDraft)).slice(0, baseTasks);
  const idsOf = (tasks: readonly Task[]) => new Set(tasks.map((task) => task.id));
  const heldOut = async (split: 'validation' | 'test', chosenBy: ReadonlySet<string>) => {
    const path = options[split];
    if (path === undefined) return [];
    const trained = idsOf(await base());
    return readTasks(path, split, readDraft, (id) => {
      if (trained.has(id)) return `this task is also in ${seeds}. A held-out task must not be trained on.`;
      return chosenBy.has(id)
        ? `this task is also in ${options.validation}. A task can be in one split only.`
        : undefined;
    });
  };
  const validation = () => heldOut('validation', new Set());
  return { name: 'file', base, validation, test: async () => heldOut('test', idsOf(await validation())) };
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
      `Cannot read the task file ${path}: ${reason(error)}. Check benchmark.seeds, benchmark.validation and benchmark.test.`,
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
