/** Marks in the parts of one turn, to see in a rendering which parts the template kept and where the turn ends. */
import type { Json } from '../core/types.ts';
import type { TemplateMessage } from './template-messages.ts';

export interface MarkedTurn {
  message: TemplateMessage;
  marks: string[];
}

/** Every part that is not empty gets a mark of its own at its end; what is empty stays empty, since templates ask for that. */
export function markedTurn(message: TemplateMessage, fresh: () => string): MarkedTurn {
  const marks: string[] = [];
  const mark = () => {
    const made = fresh();
    marks.push(made);
    return made;
  };
  const words = (text: string) => (text.trim() === '' ? text : text + mark());
  const { content, reasoning, toolCalls } = message;
  const marked: TemplateMessage = {
    ...message,
    ...(reasoning === undefined ? {} : { reasoning: words(reasoning) }),
    // Thoughts inside the words are a part of their own.
    content: content.includes('</think>') ? content.replace('</think>', `${mark()}</think>`) : content,
    ...(toolCalls ? { toolCalls: toolCalls.map(({ name, args }) => ({ name, args: { ...args, mark: mark() } })) } : {}),
  };
  marked.content = words(marked.content);
  return { message: marked, marks };
}

/** Marks that occur nowhere in these: characters without a meaning, numbered. */
export function markMaker(taken: Json): () => string {
  const text = JSON.stringify(taken);
  let code = 0xe000;
  while (text.includes(String.fromCharCode(code))) code++;
  const sign = String.fromCharCode(code);
  let made = 0;
  return () => `${sign}${made++}${sign}`;
}
