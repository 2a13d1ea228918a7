/** Identity by content: the same task written twice is one task, whoever wrote it. */
import { hashText, hex } from './hash.ts';
import type { Json, Task } from './types.ts';

/** The id of a task: what it asks, with which tools, judged how. Lineage is not part of it. */
export function taskId(task: Pick<Task, 'prompt' | 'tools' | 'eval'>): string {
  const prompt = task.prompt.map(({ role, content, toolCalls }) => ({ role, content, toolCalls }));
  return `t-${hex(hashText(canonicalJson({ prompt, tools: task.tools, eval: task.eval }))).slice(0, 20)}`;
}

/** The shape of a task, values rubbed out: which calls with which arguments, or else the prompt without its literals. */
export function structureOf(task: Pick<Task, 'prompt' | 'eval'>): string {
  const spec = task.eval;
  const shape =
    spec.kind === 'toolCalls'
      ? spec.target.map((call) => `${call.name}(${Object.keys(call.args).sort().join(',')})`).join(';')
      : task.prompt.map((message) => withoutLiterals(message.content)).join('\n');
  return hex(hashText(`${spec.kind}:${shape}`)).slice(0, 12);
}

/** JSON with sorted keys and no undefined: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** Whether two JSON values are equal, without spelling them out: every rollout's answer goes through here. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]!));
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key]!, b[key]!))
  );
}

const withoutLiterals = (text: string) =>
  text
    .toLowerCase()
    .replace(/"[^"]*"/g, '""')
    .replace(/\d+(\.\d+)?/g, '#');
