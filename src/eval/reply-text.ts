/** A reply as the text that protocols read. Calls that an engine has already taken out of it are put back in. */
import type { Sample } from '../core/engine.ts';

export function replyText({ text, toolCalls = [] }: Pick<Sample, 'text' | 'toolCalls'>): string {
  if (toolCalls.length === 0) return text;
  const calls = toolCalls.map(({ name, args }) => JSON.stringify({ name, arguments: args }));
  const said = text === '' ? [] : [text];
  return [...said, '<tool_call>', ...calls, '</tool_call>'].join('\n');
}
