/** Reads what the agent wrote as tool calls or as an answer. Model output is never trusted: anything odd is `malformed`. */
import type { Sample } from '../core/engine.ts';
import type { EvalSpec, Json, JsonObject, ToolCall } from '../core/types.ts';

export type Reading =
  | { kind: 'calls'; calls: ToolCall[]; said: string }
  | { kind: 'text'; text: string }
  | { kind: 'malformed'; why: string };

/**
 * Calls come parsed by the server, in <tool_call> tags (the Hermes form that Qwen and others are trained on), or as a JSON
 * array or object, fenced or bare. A text eval reads JSON as text.
 */
export function readAnswer(sample: Pick<Sample, 'text' | 'toolCalls'>, spec: EvalSpec): Reading {
  if (sample.toolCalls) return { kind: 'calls', calls: sample.toolCalls, said: sample.text };
  const text = sample.text.trim();
  if (text.includes('<tool_call>')) return tagged(text);
  const wantsCalls = spec.kind === 'toolCalls' || spec.kind === 'world';
  if (wantsCalls && /^(```(json)?\s*)?[[{]/.test(text)) return bare(text);
  if (spec.kind === 'toolCalls') return { kind: 'malformed', why: 'no tool call found' };
  return { kind: 'text', text: /<answer>([\s\S]*?)<\/answer>/.exec(text)?.[1]?.trim() ?? text };
}

/** The final answer a′ of a text as the eval wants it: JSON for `json`, the words themselves otherwise. */
export function textAnswer(text: string, spec: EvalSpec): { answer: Json } | { why: string } {
  if (spec.kind !== 'json') return { answer: text };
  const parsed = parseJson(unfence(text));
  return parsed === undefined ? { why: 'not JSON' } : { answer: parsed };
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

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const unfence = (text: string) => /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text.trim())?.[1] ?? text;

const clip = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
