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
  const fields = value as Record<string, unknown>;
  let text = '';
  for (const key of sortedKeys(fields)) {
    if (fields[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonicalJson(fields[key])}`;
  }
  return `{${text}}`;
}

/** Most objects are written in order already: looking is cheaper than sorting. */
function sortedKeys(fields: object): string[] {
  const keys = Object.keys(fields);
  for (let i = 1; i < keys.length; i++) if (keys[i]! < keys[i - 1]!) return keys.sort();
  return keys;
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
