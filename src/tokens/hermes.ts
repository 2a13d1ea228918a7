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
  for (const piece of text.slice(first + OPEN.length).split(OPEN)) {
    // Forgotten closing tags are common at the end and between calls.
    const close = piece.indexOf(CLOSE);
    const body = (close === -1 ? piece : piece.slice(0, close)).trim();
    const call = asCall(parseJson(body));
    if (call) calls.push(call);
    else malformed ??= `a tool call is not {"name", "arguments"}: ${clip(body)}`;
  }
  return { content: text.slice(0, first).trimEnd(), calls, ...(malformed === undefined ? {} : { malformed }) };
}
