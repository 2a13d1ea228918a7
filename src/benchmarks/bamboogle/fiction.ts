/** Two-hop questions about invented facts: nothing in them can be known from elsewhere, so nothing of the test leaks. */
import { type Rng, shuffled } from '../../core/rng.ts';
import type { Passage } from './bm25.ts';
import { makeName, pick } from './names.ts';
import { type AnswerKind, ASIDES, FIRST, type First, fill, RIVALS, SECOND, type Second } from './relations.ts';
import { problemWith, type TwoHop } from './two-hop.ts';

/** Which relations a question is made of. */
export type Plot = { first: First; second: Second };

export const PLOTS: readonly Plot[] = FIRST.flatMap((first) =>
  SECOND.filter(({ bridge }) => bridge === first.bridge).map((second) => ({ first, second })),
);

/** A question of this plot with so many rival values in its second passage. Names in `taken` are avoided and added to. */
export function invent({ first, second }: Plot, rivals: number, rng: Rng, taken: Set<string> = new Set()): TwoHop {
  for (;;) {
    const subject = makeName(first.subject, rng);
    const bridge = makeName(first.bridge, rng);
    const values = distinctValues(second.answer, rivals + 1, rng);
    const answer = values[0]!;
    const names = [subject, bridge, answer];
    if (names.some((name) => taken.has(name))) continue;
    const rivalTexts = shuffled(RIVALS[first.bridge][second.answer]!, rng)
      .slice(0, rivals)
      .map((template, i) => fill(template, { b: bridge, a: values[i + 1]! }));
    const fact = fill(second.sentence, { b: bridge, a: answer });
    const task: TwoHop = {
      question: fill(second.question, { x: fill(first.phrase, { s: subject }) }),
      evidence: [
        passage(subject, [fill(first.sentence, { s: subject, b: bridge })], rng),
        passage(bridge, shuffled([fact, ...rivalTexts], rng), rng),
      ],
      bridge,
      answer,
    };
    if (problemWith(task)) continue;
    taken.add(subject).add(bridge);
    return task;
  }
}

const passage = (title: string, sentences: readonly string[], rng: Rng): Passage => ({
  title,
  text: [...sentences, fill(pick(ASIDES, rng), { t: title })].join(' '),
});

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const VALUES: Record<AnswerKind, (rng: Rng) => string> = {
  year: (rng) => String(1600 + rng.int(350)),
  date: (rng) => `${1 + rng.int(28)} ${pick(MONTHS, rng)} ${1600 + rng.int(350)}`,
  number: (rng) => (1000 + rng.int(90_000)).toLocaleString('en'),
  person: (rng) => makeName('person', rng),
  town: (rng) => makeName('town', rng),
  river: (rng) => makeName('river', rng),
};

function distinctValues(kind: AnswerKind, count: number, rng: Rng): string[] {
  const values = new Set<string>();
  while (values.size < count) values.add(VALUES[kind](rng));
  return [...values];
}
