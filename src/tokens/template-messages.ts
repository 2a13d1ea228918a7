/** Our messages and tools as chat templates expect them: the shapes of OpenAI's API, with arguments as objects. */
import type { Json, Message, ToolSpec } from '../core/types.ts';

export interface TemplateMessage {
  role: Message['role'];
  content: string;
  /** What was thought before it was said, where a template keeps that apart. */
  reasoning?: string;
  toolCalls?: Message['toolCalls'];
}

/**
 * Calls have no ids here; some templates want them, nine letters and digits each. Results follow their calls in order,
 * so counting is enough to match them.
 */
export function templateMessages(messages: readonly TemplateMessage[]): Json[] {
  let made = 0;
  let open: { id: string; name: string }[] = [];
  return messages.map(({ role, content, reasoning, toolCalls }) => {
    if (role === 'tool') {
      const call = open.shift();
      return { role, content, ...(call ? { name: call.name, tool_call_id: call.id } : {}) };
    }
    open = [];
    if (role !== 'assistant') return { role, content };
    const calls = (toolCalls ?? []).map(({ name, args }) => {
      const id = `call${String(++made % 100_000).padStart(5, '0')}`;
      open.push({ id, name });
      return { type: 'function', id, function: { name, arguments: args } };
    });
    return {
      // Templates read it under either name; the order is the reference's, for those that print whole messages.
      ...(reasoning === undefined ? {} : { thinking: reasoning }),
      role,
      content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    };
  });
}

export const templateTools = (tools: readonly ToolSpec[]): Json[] =>
  tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));
