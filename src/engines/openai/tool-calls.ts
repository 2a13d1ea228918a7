/** Calls that a server has parsed itself. */
import type { JsonObject, ToolCall } from '../../core/types.ts';
import { asRecord } from './status.ts';

/** Either all calls, or all of them as text because one is no call; undefined where there are none. */
export function readCalls(value: unknown): { calls?: ToolCall[]; unreadable?: string } | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const wired = value.map((call) => asRecord(asRecord(call)?.function));
  const calls = wired.map((call) => callOf(call));
  if (calls.every((call) => call !== undefined)) return { calls };
  return { unreadable: wired.map((call) => asWritten(call)).join('\n') };
}

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
  const args = typeof call?.arguments === 'string' ? call.arguments : JSON.stringify(call?.arguments ?? null);
  return `<tool_call>{"name": ${JSON.stringify(call?.name ?? null)}, "arguments": ${args}}</tool_call>`;
}
