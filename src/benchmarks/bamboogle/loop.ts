/** One question in the ToolRL protocol: at most four replies, each a search or the answer. */
import type { Ask } from '../../core/exam.ts';
import type { Json } from '../../core/types.ts';
import { readTurn, type Turn } from './answer.ts';
import { type Entry, MAX_TOKENS, MAX_TURNS, messagesOf, nudge, observation, opening } from './prompt.ts';
import { pythonRepr } from './python-repr.ts';
import { type Search, searchText } from './search.ts';

export type Played = {
  /** Empty when no turn gave one. */
  answer: string;
  /** How many searches were answered. */
  observations: number;
};

export async function playQuestion(question: string, ask: Ask, search: Search | undefined): Promise<Played> {
  const history: Entry[] = [opening(question)];
  let observations = 0;
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    const read = readTurn(await ask(messagesOf(history), { maxTokens: MAX_TOKENS }));
    if (read.kind === 'answer') return { answer: read.answer, observations };
    if (read.kind === 'ignored_turn') continue;
    history.push(asSaid(read), observation(await searchText(search, queryText(read.query))), nudge(turn));
    observations++;
  }
  return { answer: '', observations };
}

/** The thought and the call that was read; whatever else the reply held is forgotten. */
const asSaid = ({ thought, call }: Extract<Turn, { kind: 'search' }>): Entry => ({
  role: 'assistant',
  content: `<think> ${thought} </think>\n<tool_call>\n${pythonRepr(call)}\n</tool_call>`,
});

export const queryText = (query: Json): string => (typeof query === 'string' ? query : JSON.stringify(query));
