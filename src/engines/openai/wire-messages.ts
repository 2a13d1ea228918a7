/** Our messages as a chat endpoint wants them. Calls and their results belong together by ids, which ours do not carry. */
import type { Message, ToolCall } from '../../core/types.ts';

export type WireMessage =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls: WireCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };

interface WireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export function wireMessages(messages: readonly Message[]): WireMessage[] {
  let calls = 0;
  /** Ids of calls that have had no result yet, in the order of the calls. */
  let open: string[] = [];
  return messages.map((message): WireMessage => {
    const { role, content, toolCalls } = message;
    if (role === 'tool') {
      const id = open.shift();
      // A result that nothing asked for would be refused as such.
      return id === undefined ? { role: 'user', content } : { role, content, tool_call_id: id };
    }
    if (role !== 'assistant' || !toolCalls?.length) return { role, content };
    const wired = toolCalls.map(({ name, args }) => ({
      // Nine letters and digits is all that Mistral's templates allow.
      id: `call${String(calls++).padStart(5, '0')}`,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(args) },
    }));
    open = wired.map(({ id }) => id);
    return { role, content: saidBeside(content) || null, tool_calls: wired };
  });
}

/** What was said besides the calls: calls that were read from the text must not be sent twice. */
function saidBeside(content: string): string {
  const tag = content.indexOf('<tool_call>');
  if (tag >= 0) return content.slice(0, tag).trim();
  return /^\s*(?:```|[[{])/.test(content) ? '' : content;
}

/** Messages for a server that knows no tools: they are described in words, called in tags, and answered by the user. */
export function textMessages(messages: readonly Message[], toolsJson: string): WireMessage[] {
  const plain: { role: 'system' | 'user' | 'assistant'; content: string }[] = [];
  const add = (role: 'system' | 'user' | 'assistant', content: string) => {
    const last = plain.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else plain.push({ role, content });
  };
  add('system', `${INSTRUCTIONS}\n${toolsJson}`);
  for (const { role, content, toolCalls } of messages) {
    if (role === 'tool') add('user', `<tool_response>\n${content}\n</tool_response>`);
    else if (role === 'assistant' && toolCalls?.length)
      add(role, [saidBeside(content), ...toolCalls.map(tagged)].filter(Boolean).join('\n'));
    else add(role, content);
  }
  return plain;
}

const INSTRUCTIONS =
  'You can call the tools below. To call one, write <tool_call>{"name": "…", "arguments": {…}}</tool_call>, once for each call, and end your reply there. The tools, as JSON Schema:';

const tagged = ({ name, args }: ToolCall) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

/** A conversation as one text for a completions endpoint. A single message is a prompt as it stands. */
export function transcript(messages: readonly WireMessage[]): { prompt: string; stop: string[] } {
  const [first] = messages;
  if (messages.length === 1 && first?.role === 'user') return { prompt: first.content, stop: [] };
  const parts = messages.map(({ role, content }) => `${SPEAKERS[role]}: ${content ?? ''}`);
  return { prompt: `${parts.join('\n\n')}\n\nAssistant:`, stop: ['\n\nUser:'] };
}

const SPEAKERS = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' };
