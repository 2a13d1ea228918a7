/** What a model wrote in one turn, taken apart: thoughts, words, calls. Model output is never trusted, and nothing here throws. */
import type { Json, JsonObject, ToolCall } from '../core/types.ts';

export interface Reply {
  /** What was thought before anything was said; undefined where nothing marks thoughts. */
  reasoning?: string;
  /** What was said beside the calls. */
  content: string;
  calls: ToolCall[];
  /** Everything after the thoughts, calls as they were written. */
  rest: string;
  /** Why something that looks like a call is none. */
  malformed?: string;
}

/** How families of models write calls: <tool_call> tags, bare JSON or a python tag, [TOOL_CALLS], or channels. */
export type CallFormat = 'hermes' | 'llama' | 'mistral' | 'harmony' | 'none';

export type Calls = Pick<Reply, 'content' | 'calls' | 'malformed'>;

/** Thoughts come first and end with a closing tag; the opening one may have been in the prompt. */
export function splitThoughts(text: string, open: string, close: string): { reasoning?: string; rest: string } {
  const end = text.indexOf(close);
  if (end === -1) return { rest: text };
  const start = text.indexOf(open);
  // A tag in the middle of an answer is a word like any other.
  if (start !== -1 && start < end && text.slice(0, start).trim() !== '') return { rest: text };
  const from = start !== -1 && start < end ? start + open.length : 0;
  return { reasoning: trimLines(text.slice(from, end)), rest: text.slice(end + close.length).replace(/^\n+/, '') };
}

const trimLines = (text: string) => text.replace(/^\n+/, '').replace(/\n+$/, '');

/** {"name", "arguments"} under any of the names in use; arguments may come as a string of JSON. */
export function asCall(value: Json | undefined): ToolCall | undefined {
  if (!isObject(value)) return undefined;
  const inner = isObject(value.function) ? value.function : value;
  const { name } = inner;
  const args = asArguments(inner.arguments ?? inner.parameters ?? inner.args ?? {});
  return typeof name === 'string' && name !== '' && args ? { name, args } : undefined;
}

export function asArguments(value: Json | undefined): JsonObject | undefined {
  const parsed = typeof value === 'string' ? parseJson(value === '' ? '{}' : value) : value;
  return isObject(parsed) ? parsed : undefined;
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The end of the JSON object or list that begins at `from`; -1 where it never closes. */
export function jsonEnd(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === '\\') i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

export const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
