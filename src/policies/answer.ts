/** Reads what the agent wrote as tool calls or as an answer. Model output is never trusted: anything odd is `malformed`. */
import type { Sample } from '../core/engine.ts';
import type { EvalSpec, Json, JsonObject, ToolCall } from '../core/types.ts';
import { parseJson, unsound } from './sound-json.ts';

export type Reading =
  | { kind: 'calls'; calls: ToolCall[]; said: string }
  | { kind: 'text'; text: string }
  | { kind: 'malformed'; why: string };

/**
 * Calls come parsed by the server, in <tool_call> tags (the Hermes form that Qwen and others are trained on), or as a JSON
 * array or object, fenced or bare. A text eval reads JSON as text.
 */
export function readAnswer(sample: Pick<Sample, 'text' | 'toolCalls'>, spec: EvalSpec): Reading {
  const text = sample.text.trim();
  if (sample.toolCalls?.length) return sound({ kind: 'calls', calls: sample.toolCalls, said: sample.text });
  if (text.includes('<tool_call>')) return sound(tagged(text));
  const wantsCalls = spec.kind === 'toolCalls' || spec.kind === 'world';
  if (wantsCalls && /^(```(json)?\s*)?[[{]/.test(text)) return sound(bare(text));
  return { kind: 'text', text: between(text, '<answer>', '</answer>')?.trim() ?? text };
}

/** The final answer a′ of a text as the eval wants it: JSON for `json`, the words themselves otherwise. */
export function textAnswer(text: string, spec: EvalSpec): { answer: Json } | { why: string } {
  if (spec.kind !== 'json') return { answer: text };
  const parsed = parseJson(unfence(text));
  if (parsed === undefined) return { why: 'not JSON' };
  const why = unsound(parsed);
  return why ? { why } : { answer: parsed };
}

function sound(reading: Reading): Reading {
  if (reading.kind !== 'calls') return reading;
  const why = reading.calls.map(({ args }) => unsound(args)).find(Boolean);
  return why ? { kind: 'malformed', why } : reading;
}

function tagged(text: string): Reading {
  const calls: ToolCall[] = [];
  for (const [, body] of text.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)) {
    const call = asCall(parseJson(body!.trim()));
    if (!call) return { kind: 'malformed', why: `a tool call is not {"name", "arguments"}: ${clip(body!)}` };
    calls.push(call);
  }
  return { kind: 'calls', calls, said: text.slice(0, text.indexOf('<tool_call>')).trim() };
}

function bare(text: string): Reading {
  const parsed = parseJson(unfence(text));
  if (parsed === undefined) return { kind: 'malformed', why: `not JSON: ${clip(text)}` };
  const calls = (Array.isArray(parsed) ? parsed : [parsed]).map(asCall);
  if (calls.some((call) => call === undefined)) return { kind: 'malformed', why: `not a list of calls: ${clip(text)}` };
  return { kind: 'calls', calls: calls as ToolCall[], said: '' };
}

function asCall(value: Json | undefined): ToolCall | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  const args = value.arguments ?? value.args ?? value.parameters ?? {};
  return isObject(args) ? { name: value.name, args } : undefined;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** No pattern: one that looks for space before a closing fence takes minutes on a few thousand spaces. */
function unfence(text: string): string {
  const whole = text.trim();
  if (whole.length < 6 || !whole.startsWith('```') || !whole.endsWith('```')) return text;
  return whole.slice(3, -3).replace(/^json/, '');
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start);
  return end < 0 ? undefined : text.slice(start + open.length, end);
}

const clip = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
