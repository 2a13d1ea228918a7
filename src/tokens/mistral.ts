/** Calls after [TOOL_CALLS]: a JSON list in older models, `name[ARGS]{…}` (perhaps with [CALL_ID]) in newer ones. */
import type { ToolCall } from '../core/types.ts';
import { asArguments, asCall, type Calls, clip, jsonEnd, parseJson } from './reply.ts';

const MARK = '[TOOL_CALLS]';
const ARGS = '[ARGS]';
const ID = '[CALL_ID]';

export function readMistral(text: string): Calls {
  const first = text.indexOf(MARK);
  if (first === -1) return { content: text, calls: [] };
  const calls: ToolCall[] = [];
  let malformed: string | undefined;
  for (const piece of text.slice(first + MARK.length).split(MARK)) {
    const read = piece.trimStart().startsWith('[{') || piece.trim() === '[]' ? listOf(piece) : named(piece);
    if (read) calls.push(...read);
    else malformed ??= `a tool call is neither a list nor name[ARGS]{…}: ${clip(piece.trim())}`;
  }
  return { content: text.slice(0, first).trimEnd(), calls, ...(malformed === undefined ? {} : { malformed }) };
}

function listOf(piece: string): ToolCall[] | undefined {
  const start = piece.indexOf('[');
  const end = jsonEnd(piece, start);
  const parsed = end === -1 ? undefined : parseJson(piece.slice(start, end));
  const calls = Array.isArray(parsed) ? parsed.map(asCall) : [undefined];
  return calls.includes(undefined) ? undefined : (calls as ToolCall[]);
}

function named(piece: string): ToolCall[] | undefined {
  const at = piece.indexOf(ARGS);
  // Without a mark of its own the object follows the name at once.
  const brace = piece.indexOf('{');
  const split = at === -1 ? brace : at;
  if (split === -1) return undefined;
  const name = piece.slice(0, split).split(ID)[0]!.trim();
  const args = asArguments(piece.slice(at === -1 ? split : split + ARGS.length).trim());
  return args && /^[^\s{}[\]"]{1,128}$/.test(name) ? [{ name, args }] : undefined;
}
