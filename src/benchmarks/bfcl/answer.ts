/** What a reply calls, in the per-turn protocol. */
import type { Json } from '../../core/types.ts';
import { NotPython } from '../python.ts';
import { type Call, callOf, jsonCall, parseCall } from './calls.ts';
import { readJson } from './exact-json.ts';
import type { Toolbox } from './function-doc.ts';
import { parseExpression } from './parse-expression.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/**
 * The calls of an answer, in order; undefined when it is a list of calls that cannot be read. Text is read as the protocol
 * says: what follows the last <tool_call>, one JSON object a line, other lines ignored. Without that tag the answer may
 * also be a list in BFCL's own forms: of Python calls, or of JSON.
 */
export function callsIn(answer: Json, tools: Toolbox): Call[] | undefined {
  if (Array.isArray(answer)) return listedCalls(answer, tools);
  if (typeof answer !== 'string') return listedCalls([answer], tools);
  const open = answer.lastIndexOf(OPEN);
  if (open < 0) return untaggedCalls(answer, tools);
  const start = open + OPEN.length;
  const close = answer.indexOf(CLOSE, start);
  return calledLines(answer.slice(start, close < 0 ? undefined : close));
}

/** Nobody makes so many calls at once; trying to read each line of a large reply that has none would take minutes. */
const MAX_LINES = 10_000;

function calledLines(text: string): Call[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.length > MAX_LINES ? undefined : lines.flatMap((line) => jsonCall(parsed(line)) ?? []);
}

function untaggedCalls(answer: string, tools: Toolbox): Call[] | undefined {
  const text = answer.trim();
  if (text.startsWith('[') && text.endsWith(']')) {
    const list = parsed(text);
    if (Array.isArray(list)) return listedCalls(list, tools);
    const tree = readable(() => parseExpression(text));
    if (tree?.kind === 'list' && tree.items.some(({ kind }) => kind === 'call'))
      return readable(() => tree.items.map((item) => callOf(item, tools)));
  }
  return calledLines(text);
}

/** Call strings, or objects with a name; one that cannot be read spoils the list. */
export function listedCalls(list: readonly Json[], tools: Toolbox): Call[] | undefined {
  const calls: Call[] = [];
  for (const item of list) {
    const call = typeof item === 'string' ? readable(() => parseCall(item, tools)) : jsonCall(item);
    if (call === undefined) return undefined;
    calls.push(call);
  }
  return calls;
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

function parsed(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}
