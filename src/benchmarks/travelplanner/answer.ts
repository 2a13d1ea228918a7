/** Getting the plan out of what a model wrote: a JSON list of days, or the same as a Python literal, wherever it stands. */
import type { Json } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { isDict } from './python-values.ts';

/** The plan in an output: a list as it is, an object's `plan`, or the last list of days in a text. Null when there is none. */
export function planIn(output: Json | undefined): Json {
  if (Array.isArray(output)) return output;
  if (isDict(output)) return Object.hasOwn(output, 'plan') ? planIn(output.plan) : null;
  return typeof output === 'string' ? planInText(output) : null;
}

/** Lists that never close are given up after so many: each costs a look at the rest of the text. */
const MAX_OPEN = 8;

/** The last one, because models think aloud and repeat the example before they answer. */
function planInText(text: string): Json {
  let plan: Json = null;
  let open = 0;
  for (let at = listStart(text, 0); at >= 0 && open < MAX_OPEN; ) {
    const end = listEnd(text, at);
    const found = end < 0 ? undefined : literal(text.slice(at, end));
    if (Array.isArray(found) && found.every(isDict)) plan = found;
    if (end < 0) open++;
    at = listStart(text, end < 0 ? at + 1 : end);
  }
  return plan;
}

/** Where a list of objects begins: a bracket, then a brace. */
function listStart(text: string, from: number): number {
  for (let at = text.indexOf('[', from); at >= 0; at = text.indexOf('[', at + 1)) {
    let next = at + 1;
    while (next < text.length && ' \t\r\n'.includes(text[next]!)) next++;
    if (text[next] === '{') return at;
  }
  return -1;
}

/** The place after the bracket that closes the one here, texts in either quote skipped; -1 where it never closes. */
function listEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '[' || char === '{') depth++;
    else if ((char === ']' || char === '}') && --depth === 0) return at + 1;
    else if (char === '"' || char === "'") {
      for (at++; at < text.length && text[at] !== char; at++) if (text[at] === '\\') at++;
    }
  }
  return -1;
}

function literal(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return pythonLiteral(text);
  }
}
