/**
 * Calls as Llama 3 writes them: the whole turn is JSON, {"name", "parameters"}, one or several with semicolons between,
 * perhaps after <|python_tag|>; built-in tools come as `name.call(key="value")` after that tag.
 */
import type { Json, JsonObject, ToolCall } from '../core/types.ts';
import { asCall, type Calls, clip, jsonEnd, parseJson } from './reply.ts';

const TAG = '<|python_tag|>';

export function readLlama(text: string): Calls {
  const tag = text.indexOf(TAG);
  const content = tag === -1 ? '' : text.slice(0, tag).trimEnd();
  const body = (tag === -1 ? text : text.slice(tag + TAG.length)).trim();
  if (tag === -1 && !body.startsWith('{')) return { content: text, calls: [] };
  if (!body.startsWith('{')) {
    const call = builtIn(body);
    // Code for an interpreter is neither a call of a tool nor a mistake.
    return call ? { content, calls: [call] } : { content: text, calls: [] };
  }
  const calls: ToolCall[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body[at] === '{' ? jsonEnd(body, at) : -1;
    const call = end === -1 ? undefined : asCall(parseJson(body.slice(at, end)));
    if (!call) return { content: text, calls, malformed: `a tool call is not {"name", "parameters"}: ${clip(body.slice(at))}` };
    calls.push(call);
    at = end;
    while (at < body.length && /[\s;,]/.test(body[at]!)) at++;
  }
  return { content, calls };
}

/** `brave_search.call(query="…")`. */
function builtIn(text: string): ToolCall | undefined {
  const [, name, inner] = /^([A-Za-z_]\w{0,63})\.call\(([\s\S]*)\)$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const args: JsonObject = {};
  let left = inner!.trim();
  while (left !== '') {
    const [head, key, value] = /^([A-Za-z_]\w{0,63})\s*=\s*("(?:[^"\\]|\\.)*"|[^,()]+)/.exec(left) ?? [];
    if (head === undefined) return undefined;
    const parsed: Json | undefined = parseJson(value!.trim());
    if (parsed === undefined) return undefined;
    args[key!] = parsed;
    left = left.slice(head.length).replace(/^\s*,?\s*/, '');
  }
  return { name, args };
}
