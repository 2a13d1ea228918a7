/** What players said, as a person reads it: who, then the words, then the calls. */
import type { Message, ToolCall } from '../core/types.ts';
import type { Field } from './fields.ts';
import { count } from './format.ts';
import { brief, visibleLines } from './visible.ts';

/** One field a message. Long ones are cut after `maxLines` lines or as many screens of characters. */
export const messageFields = (messages: readonly Message[], maxLines: number): Field[] =>
  messages.map((message) => [message.role, messageText(message, maxLines)]);

export function messageText({ content, toolCalls = [] }: Message, maxLines: number): string[] {
  const calls = toolCalls.length > 0 ? [`→ ${callsText(toolCalls)}`] : [];
  return [...(content === '' && calls.length > 0 ? [] : excerpt(content, maxLines)), ...calls];
}

/** Calls in a row, repetitions counted: `ring({"bell":"red"}) ×3  open({"door":"B"})`. */
export function callsText(calls: readonly ToolCall[]): string {
  const runs: { text: string; times: number }[] = [];
  for (const text of calls.map(callText)) {
    const last = runs.at(-1);
    if (last?.text === text) last.times++;
    else runs.push({ text, times: 1 });
  }
  return runs.map(({ text, times }) => (times > 1 ? `${text} ×${times}` : text)).join('  ');
}

/** `ring({"bell":"red"})`. */
export const callText = ({ name, args }: ToolCall): string => brief(`${name}(${JSON.stringify(args)})`);

/** A line that is longer than this is as good as several. */
const LINE_CHARACTERS = 200;

/** The beginning of a text, and how much was left out: a model may have written a megabyte. */
export function excerpt(text: string, maxLines: number): string[] {
  const lines = text.split('\n');
  const start = lines
    .slice(0, maxLines)
    .join('\n')
    .slice(0, maxLines * LINE_CHARACTERS);
  if (start.length === text.length) return visibleLines(text);
  return [...visibleLines(start), `… ${count(text.length - start.length)} more characters are in --json`];
}
