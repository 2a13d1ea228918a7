/** A small exam: capitals of made-up countries. */
import { type Exam, LineError } from '../core/exam.ts';

const CAPITALS = new Map([
  ['q1', 'Alba'],
  ['q2', 'Brent'],
  ['q3', 'Corvo'],
  ['q4', 'Delm'],
]);

export const capitals: Exam = {
  name: 'capitals',
  about: 'Names the capital, word for word.',
  ids: async () => [...CAPITALS.keys()],
  answer: async (id, ask) => ask([{ role: 'user', content: `What is the capital of ${id}?` }]),
  judge({ id, output, target }) {
    const gold = typeof target === 'string' ? target : CAPITALS.get(String(id));
    if (gold === undefined) throw new LineError(`there is no question ${id}`);
    const correct = output === gold;
    return { id: String(id), correct, score: correct ? 1 : 0, ...(correct ? {} : { reason: `not ${gold}` }) };
  },
  gold: async () => [...CAPITALS].map(([id, output]) => ({ id, output })),
  summarise: (verdicts) => [
    {
      name: 'accuracy',
      n: verdicts.length,
      score: verdicts.filter(({ correct }) => correct).length / verdicts.length,
      binomial: true,
    },
  ],
  paper: { 'A model': 61.6 },
};

export const capitalOf = (id: string): string => CAPITALS.get(id) ?? '';
