/**
 * The channels of gpt-oss: thoughts in `analysis`, calls in `commentary` addressed to functions.NAME, the answer in
 * `final`. A turn is several messages; the opening of the first one was in the prompt.
 */
import type { ToolCall } from '../core/types.ts';
import { asArguments, clip, type Reply } from './reply.ts';

const START = '<|start|>';
const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';
const ENDS = ['<|end|>', '<|call|>', '<|return|>'];

export function readHarmony(text: string): Reply {
  const thoughts: string[] = [];
  const said: string[] = [];
  const calls: ToolCall[] = [];
  let malformed: string | undefined;
  for (const message of text.split(START)) {
    const at = message.indexOf(MESSAGE);
    if (at === -1) {
      // Words without a channel are still words; a header alone says nothing.
      if (!message.includes(CHANNEL) && thoughts.length + calls.length === 0) said.push(message);
      continue;
    }
    const header = message.slice(0, at);
    const body = untilEnd(message.slice(at + MESSAGE.length));
    const recipient = / ?to=([^\s<]+)/.exec(header)?.[1];
    const channel = header.split(CHANNEL)[1]?.trim().split(/[\s<]/)[0] ?? 'final';
    if (recipient !== undefined && recipient !== 'assistant') {
      const args = asArguments(body.trim());
      if (args) calls.push({ name: recipient.replace(/^functions\./, ''), args });
      else malformed ??= `the call of ${clip(recipient)} has no JSON object: ${clip(body)}`;
    } else if (channel === 'analysis') thoughts.push(body);
    else said.push(body);
  }
  const content = said.join('\n');
  return {
    ...(thoughts.length > 0 ? { reasoning: thoughts.join('\n') } : {}),
    content,
    calls,
    rest: content,
    ...(malformed === undefined ? {} : { malformed }),
  };
}

function untilEnd(text: string): string {
  const end = ENDS.map((mark) => text.indexOf(mark))
    .filter((at) => at !== -1)
    .reduce((a, b) => Math.min(a, b), text.length);
  return text.slice(0, end);
}
