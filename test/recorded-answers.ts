/** What a model that knows the answers would say: every conversation of an exam with the reply that the protocol wants. */
import type { Exam } from '../src/core/exam.ts';
import type { Message } from '../src/core/types.ts';

export interface Recording {
  /** The reply to a conversation; undefined for one that was never held. */
  reply(messages: readonly { content: string | null }[]): string | undefined;
}

/** `script` gives the replies to one question, turn by turn. */
export async function recordAnswers(
  exam: Exam,
  ids: readonly string[],
  script: (id: string) => readonly string[],
): Promise<Recording> {
  const known = new Map<string, string>();
  for (const id of ids) {
    const replies = [...script(id)];
    await exam.answer(id, async (messages: readonly Message[]) => {
      const reply = replies.shift() ?? '';
      known.set(keyOf(messages), reply);
      return reply;
    });
  }
  return { reply: (messages) => known.get(keyOf(messages)) };
}

const keyOf = (messages: readonly { content: string | null }[]) =>
  JSON.stringify(messages.map(({ content }) => content ?? ''));
