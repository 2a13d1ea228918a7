/** Conversations whose words cannot be taken for markup: nobody ends a turn but the template. */
import type { Json, ToolSpec } from '../core/types.ts';
import type { TemplateMessage } from './template-messages.ts';
import type { Tokenizer } from './tokenizer.ts';

type Defuse = Tokenizer['defuse'];

export const defusedMessage = (message: TemplateMessage, defuse: Defuse): TemplateMessage => ({
  ...message,
  content: defuse(message.content),
  ...(message.reasoning === undefined ? {} : { reasoning: defuse(message.reasoning) }),
  ...(message.toolCalls
    ? { toolCalls: message.toolCalls.map(({ name, args }) => ({ name: defuse(name), args: defusedJson(args, defuse) })) }
    : {}),
});

export const defusedTools = (tools: readonly ToolSpec[], defuse: Defuse): ToolSpec[] =>
  tools.map(({ name, description, parameters }) => ({
    name: defuse(name),
    description: defuse(description),
    parameters: defusedJson(parameters, defuse),
  }));

function defusedJson<T extends Json>(value: T, defuse: Defuse): T {
  if (typeof value === 'string') return defuse(value) as T;
  if (Array.isArray(value)) return value.map((item) => defusedJson(item, defuse)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [defuse(key), defusedJson(item, defuse)]);
  return Object.fromEntries(entries) as T;
}
