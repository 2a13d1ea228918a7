/** Another model as the judge of answers, in the protocol's reply format. Off unless one is given. */
import type { Ask } from '../../core/exam.ts';
import { strip, textAfter } from './python-strings.ts';

export type Judge = (question: string, gold: string, prediction: string) => Promise<boolean>;

const SYSTEM = `You decide whether an answer to a question is correct. You are given the question, the correct answer and the answer to be judged. The answer is correct when it means the same as the correct one, however it is worded.

Reply in this form and write nothing else:
- Thought: your reasons, in a sentence
- Judgment: Yes or No`;

/** The judge does not need to read more of an answer than this. */
const MAX_CHARACTERS = 8000;

export const judgeBy =
  (ask: Ask): Judge =>
  async (question, gold, prediction) => {
    const sections = {
      Question: question,
      'Correct Answer': gold,
      'Answer to Judge': prediction.slice(0, MAX_CHARACTERS),
    };
    const content = Object.entries(sections)
      .map(([name, text]) => `**${name}**\n${text}`)
      .join('\n\n');
    const reply = await ask([
      { role: 'system', content: SYSTEM },
      { role: 'user', content },
    ]);
    return readJudgment(reply);
  };

/** Nothing but the one word is a yes: `Yes.` is none. */
export function readJudgment(reply: string): boolean {
  const judgment = textAfter(reply, '- Judgment:');
  return judgment !== undefined && strip(judgment) === 'Yes';
}
