/** What a reply of the model means: a search, a lost turn or an answer. The string operations of ToolRL, to the letter. */
import type { Json, JsonObject } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { strip, textAfter, textBefore } from './python-strings.ts';

export type Turn =
  | { kind: 'search'; query: Json; thought: string; call: JsonObject }
  /** A call that cannot be read: the same prompt is sent again, and the turn counts. */
  | { kind: 'ignored_turn'; why: string }
  | { kind: 'answer'; answer: string };

/** A call beats a response in the same reply, wherever it stands in it. */
export function readTurn(reply: string): Turn {
  const text = strip(reply);
  if (text.includes('<tool_call>')) return readCall(text);
  const response = textAfter(text, '<response>');
  if (response !== undefined) return { kind: 'answer', answer: strip(textBefore(response, '</response>')) };
  return { kind: 'answer', answer: strip(textAfter(text, '</think>') ?? text) };
}

/** Only the first line of the block counts, as a Python literal; what the tool is called does not. */
function readCall(text: string): Turn {
  const block = strip(textBefore(textAfter(text, '<tool_call>')!, '</tool_call>'));
  const call = pythonLiteral(textBefore(block, '\n'));
  if (call === undefined) return { kind: 'ignored_turn', why: 'the first line of the call is no Python literal' };
  const query = field(field(call, 'parameters'), 'query');
  if (query === undefined) return { kind: 'ignored_turn', why: 'the call has no parameters.query' };
  const thinking = textAfter(text, '<think>');
  const thought = thinking === undefined ? textBefore(text, '<tool_call>') : textBefore(thinking, '</think>');
  return { kind: 'search', query, thought: strip(thought), call: call as JsonObject }; // It has a field.
}

function field(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Search-R1's answer: the last of the `<answer>` pairs. The prompt holds one as an example, so over prompt and response
 * two are the least; over a response alone, one is.
 */
export function searchR1Answer(text: string, least: 1 | 2): string | undefined {
  let found = 0;
  let last: string | undefined;
  for (let open = text.indexOf('<answer>'); open >= 0; found++) {
    const start = open + '<answer>'.length;
    const close = text.indexOf('</answer>', start);
    if (close < 0) break;
    last = text.slice(start, close);
    open = text.indexOf('<answer>', close + '</answer>'.length);
  }
  return found < least || last === undefined ? undefined : strip(last);
}

/** The answer in a saved output: plain words, a whole reply with the tags of either protocol, or what the loop returned. */
export function finalAnswer(output: Json | undefined): { answer: string; observations?: number } | { problem: string } {
  if (typeof output === 'string') return answerIn(output);
  if (typeof output === 'number' && Number.isFinite(output)) return { answer: String(output) };
  const played = field(output, 'answer');
  if (typeof played !== 'string') return { problem: 'no answer' };
  if (strip(played) === '') return { problem: 'no answer' };
  const observations = field(output, 'observations');
  return { answer: played, ...(typeof observations === 'number' ? { observations } : {}) };
}

function answerIn(output: string): { answer: string } | { problem: string } {
  const turn = readTurn(output);
  if (turn.kind !== 'answer') return { problem: 'a tool call, not an answer' };
  const answer = (output.includes('<response>') ? undefined : taggedAnswer(output)) ?? turn.answer;
  return answer === '' ? { problem: 'no answer' } : { answer };
}

/** Search-R1 thinks, searches and thinks again in one text: what counts comes after the last thought. */
const taggedAnswer = (output: string): string | undefined =>
  searchR1Answer(output.slice(output.lastIndexOf('</think>') + 1), 1);
