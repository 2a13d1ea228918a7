/**
 * From what the environment wrote to a task, or to the reason why not. Lenient about form (fences, chatter, broken JSON),
 * strict about content, and it never throws: what a model writes is data.
 */
import { jsonrepair } from 'jsonrepair';
import type { Benchmark, TaskDraft } from '../core/benchmark.ts';
import { structureOf, taskId } from '../core/content-id.ts';
import type { Sample } from '../core/engine.ts';
import type { Json, Origin, RejectReason, Task, Verdict } from '../core/types.ts';
import { parseJson, unsound } from './sound-json.ts';
import { readDraft } from './task-schema.ts';

export interface ReadOptions {
  benchmark: Pick<Benchmark, 'read' | 'problemWith' | 'features' | 'structure'>;
  seed: Task;
  epoch: number;
  origin: Origin;
}

export type ReadTask = { task: Task; verdict: Verdict } | { task: null; verdict: Verdict };

/** No task needs more; a longer text is a model that lost its way, and repairing it would cost more than it is worth. */
const MAX_CHARACTERS = 100_000;

export function readTask(sample: Pick<Sample, 'text' | 'stop'>, options: ReadOptions): ReadTask {
  try {
    return judge(sample, options);
  } catch (error) {
    // A hostile nesting depth overflows the stack in any recursive reader.
    return rejected('error', error instanceof Error ? error.message : String(error));
  }
}

function judge({ text, stop }: Pick<Sample, 'text' | 'stop'>, options: ReadOptions): ReadTask {
  const { benchmark, seed } = options;
  if (stop === 'length') return rejected('truncated', 'cut off at the token limit');
  if (text.trim() === '') return rejected('empty', 'nothing was written');
  if (text.length > MAX_CHARACTERS) return rejected('tooLong', `${text.length} characters`);
  const control = CONTROL.exec(text);
  if (control) return rejected('controlCharacters', `U+${hex(control[0])} at ${control.index}`);
  const read = benchmark.read ? inOwnLanguage(benchmark.read(text, seed)) : readJsonTask(text);
  if ('problem' in read) return rejected(read.reason, read.problem);
  const { draft, repaired } = read;
  const content = [draft.prompt, draft.tools, draft.eval] as unknown as Json; // Interfaces have no index signature.
  const flaw = unsound(content);
  if (flaw) return rejected('schema', flaw);
  const hidden = controlIn(content);
  if (hidden) return rejected('controlCharacters', `U+${hex(hidden)}, written as an escape`);
  if (draft.eval.kind === 'script') return rejected('unsupportedChecker', 'script checkers need the sandbox');
  const problem = benchmark.problemWith?.(draft, seed);
  if (problem) return rejected('benchmark', problem);
  const task = asTask(draft, options);
  if (task.id === seed.id) return rejected('copy', 'the seed again, unchanged');
  return { task, verdict: { kind: 'accepted', ...(repaired ? { repaired } : {}) } };
}

/** Control characters but tab and line breaks, and halves of surrogate pairs. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The first one in any text of a value: JSON can spell them so that the raw text shows none. */
function controlIn(value: Json): string | undefined {
  if (typeof value === 'string') return CONTROL.exec(value)?.[0];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, field] of Object.entries(value)) {
    const found = CONTROL.exec(key)?.[0] ?? controlIn(field);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Draft = { draft: TaskDraft; repaired: string | undefined } | { reason: RejectReason; problem: string };

const inOwnLanguage = (read: TaskDraft | { problem: string }): Draft =>
  'problem' in read ? { reason: 'benchmark', problem: read.problem } : { draft: read, repaired: undefined };

function readJsonTask(text: string): Draft {
  const found = findJson(text);
  if (!found) return { reason: 'notJson', problem: `no JSON object in ${JSON.stringify(text.slice(0, 60))}` };
  const read = readDraft(Array.isArray(found.value) ? found.value[0] : found.value);
  return 'problem' in read ? { reason: 'schema', ...read } : { ...read, repaired: found.repaired };
}

/** The whole text, else what is between the first and the last brace, else that repaired. */
function findJson(text: string): { value: Json; repaired: string | undefined } | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return { value: whole, repaired: undefined };
  const start = text.search(/[[{]/);
  if (start < 0) return undefined;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const inner = end > start ? text.slice(start, end + 1) : text.slice(start);
  const bare = parseJson(inner);
  if (bare !== undefined) return { value: bare, repaired: 'text around the JSON' };
  try {
    const value = parseJson(jsonrepair(inner));
    // jsonrepair turns any words into a string; only structure counts as a repair.
    return typeof value === 'object' && value !== null ? { value, repaired: 'broken JSON' } : undefined;
  } catch {
    return undefined;
  }
}

function asTask(draft: TaskDraft, { seed, epoch, origin, benchmark }: ReadOptions): Task {
  return {
    id: taskId(draft),
    seedId: seed.id,
    rootId: seed.rootId,
    origin,
    epoch,
    prompt: draft.prompt,
    tools: draft.tools,
    eval: draft.eval,
    features: benchmark.features?.(draft) ?? draft.features ?? {},
    structure: benchmark.structure?.(draft) ?? structureOf(draft),
  };
}

const rejected = (reason: RejectReason, detail: string): ReadTask => ({
  task: null,
  verdict: { kind: 'rejected', reason, detail },
});

const hex = (char: string) => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
