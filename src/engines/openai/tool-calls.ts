/** Calls that a server has parsed itself. */
import type { JsonObject, ToolCall } from '../../core/types.ts';
import { asRecord } from './status.ts';

export interface ServerCalls {
  /** Absent where one of them is none. */
  calls?: ToolCall[];
  /** All of them as text, where one of them is none. */
  unreadable?: string;
  /** How much was written for them. */
  characters: number;
}

/** Undefined where there are none. Nothing is written as JSON again: a server can nest deeper than our stack reaches. */
export function readCalls(value: unknown): ServerCalls | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const wired = value.map((call) => asRecord(asRecord(call)?.function));
  const calls = wired.map((call) => callOf(call));
  const characters = wired.reduce((sum, call) => sum + lengthOf(call?.name) + lengthOf(call?.arguments), 0);
  if (calls.every((call) => call !== undefined)) return { calls, characters };
  return { unreadable: wired.map((call) => asWritten(call)).join('\n'), characters };
}

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);

function callOf(call: Record<string, unknown> | undefined): ToolCall | undefined {
  const args = argsOf(call?.arguments);
  return typeof call?.name === 'string' && args ? { name: call.name, args } : undefined;
}

/** JSON in a string; some servers leave out the string, some leave it empty for no arguments. */
function argsOf(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return {};
  try {
    const parsed = typeof value === 'string' ? JSON.parse(value) : value;
    return asRecord(parsed) as JsonObject | undefined; // Parsed from JSON, so it is made of JSON.
  } catch {
    return undefined;
  }
}

/** In the form in which a policy reads calls from text, arguments as they came. */
function asWritten(call: Record<string, unknown> | undefined): string {
  const name = typeof call?.name === 'string' ? JSON.stringify(call.name) : 'null';
  const args = typeof call?.arguments === 'string' ? call.arguments : '"neither text nor an object"';
  return `<tool_call>{"name": ${name}, "arguments": ${args}}</tool_call>`;
}
