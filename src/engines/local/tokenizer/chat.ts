/** Chats of models whose folder has no template: our own format, or ChatML where the tokenizer has its marks. */
import type { Message, ToolSpec } from '../../../core/types.ts';
import { type Chat, withoutStop } from '../../../tokens/chat.ts';
import type { Tokenizer } from '../../../tokens/tokenizer.ts';

interface Turns {
  end: number;
  open(role: Message['role']): number[];
  /** What follows the end of a turn. */
  after: number[];
}

export function chatOf(tokenizer: Tokenizer): Chat {
  const turns = compactTurns(tokenizer) ?? chatMlTurns(tokenizer);
  if (!turns) {
    throw new Error(
      'the tokenizer has neither <|user|>, <|assistant|> … and <|end|> nor <|im_start|> and <|im_end|>: no chat format fits it',
    );
  }
  const stops = [turns.end];
  return {
    end: turns.end,
    stops,
    read(tokens) {
      const text = tokenizer.decode(withoutStop(tokens, stops));
      return { content: text, rest: text, calls: [] };
    },
    prompt(messages, tools) {
      const ids: number[] = [];
      for (const message of withTools(messages, tools)) {
        ids.push(...turns.open(message.role), ...body(message, tokenizer));
        if (ids.at(-1) !== turns.end) ids.push(turns.end);
        ids.push(...turns.after);
      }
      return Int32Array.from([...ids, ...turns.open('assistant')]);
    },
  };
}

/** Our own tokenizers: one id opens a turn, one ends it. */
function compactTurns(tokenizer: Tokenizer): Turns | null {
  const end = tokenizer.special('<|end|>');
  const roles = new Map(
    (['system', 'user', 'assistant', 'tool'] as const).map((role) => [role, tokenizer.special(`<|${role}|>`)]),
  );
  if (end === undefined || [...roles.values()].includes(undefined)) return null;
  return { end, open: (role) => [roles.get(role)!], after: [] };
}

/** The ChatML of Qwen and others. */
function chatMlTurns(tokenizer: Tokenizer): Turns | null {
  const start = tokenizer.special('<|im_start|>');
  const end = tokenizer.special('<|im_end|>');
  if (start === undefined || end === undefined) return null;
  return { end, open: (role) => [start, ...tokenizer.encode(`${role}\n`)], after: tokenizer.encode('\n') };
}

function body(message: Message, tokenizer: Tokenizer): number[] {
  if (message.tokens) return [...message.tokens];
  const calls = (message.toolCalls ?? []).map((call) => JSON.stringify(call));
  return tokenizer.encode([...(message.content === '' ? [] : [message.content]), ...calls].join('\n'));
}

/** Tools are described in the system's turn, one JSON object a line. */
function withTools(messages: readonly Message[], tools: readonly ToolSpec[]): readonly Message[] {
  if (tools.length === 0) return messages;
  const text = ['Tools:', ...tools.map((tool) => JSON.stringify(tool))].join('\n');
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: `${first.content}\n${text}` }, ...rest];
}
