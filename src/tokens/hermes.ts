/** Calls in <tool_call> tags, one JSON object each: the form of Hermes, Qwen and many others. */
import type { ToolCall } from '../core/types.ts';
import { asCall, type Calls, clip, parseJson } from './reply.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

export function readHermes(text: string): Calls {
  const first = text.indexOf(OPEN);
  if (first === -1) return { content: text, calls: [] };
  const calls: ToolCall[] = [];
  let malformed: string | undefined;
  for (let at = first; at !== -1; ) {
    const start = at + OPEN.length;
    const close = text.indexOf(CLOSE, start);
    const next = text.indexOf(OPEN, start);
    // Forgotten closing tags are common at the end and between calls.
    const end = [close, next].filter((place) => place !== -1).reduce((a, b) => Math.min(a, b), text.length);
    const body = text.slice(start, end).trim();
    const call = asCall(parseJson(body));
    if (call) calls.push(call);
    else malformed ??= `a tool call is not {"name", "arguments"}: ${clip(body)}`;
    at = next;
  }
  return { content: text.slice(0, first).trimEnd(), calls, ...(malformed === undefined ? {} : { malformed }) };
}
