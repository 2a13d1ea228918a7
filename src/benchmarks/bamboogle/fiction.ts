/** Two-hop questions about invented facts: nothing in them can be known from elsewhere, so nothing of the test leaks. */
import { type Rng, shuffled } from '../../core/rng.ts';
import type { Passage } from './bm25.ts';
import { makeName, pick } from './names.ts';
import { type AnswerKind, ASIDES, FIRST, type First, fill, RIVALS, SECOND, type Second } from './relations.ts';
import { rivalsOf } from './rivals.ts';
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
    const year = 1650 + rng.int(250);
    const answer = VALUES[second.answer](rng, year);
    if ([subject, bridge, answer].some((name) => taken.has(name))) continue;
    const rivalTexts = shuffled(RIVALS[first.bridge][second.answer]!, rng)
      .slice(0, rivals)
      .map(({ sentence, when }) => {
        const away = 1 + rng.int(when === undefined ? 1 : 50);
        return fill(sentence, {
          b: bridge,
          a: VALUES[second.answer](rng, when === 'earlier' ? year - away : year + away),
        });
      });
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
    // Two sentences that say the same would make one rival less, or none.
    if (problemWith(task) || rivalsOf(task) !== rivals) continue;
    taken.add(subject).add(bridge);
    return task;
  }
}

const passage = (title: string, sentences: readonly string[], rng: Rng): Passage => ({
  title,
  text: [...sentences, fill(pick(ASIDES, rng), { t: title })].join(' '),
});

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const VALUES: Record<AnswerKind, (rng: Rng, year: number) => string> = {
  year: (_, year) => String(year),
  date: (rng, year) => `${1 + rng.int(28)} ${pick(MONTHS, rng)} ${year}`,
  number: (rng) => (1000 + rng.int(90_000)).toLocaleString('en'),
  person: (rng) => makeName('person', rng),
  town: (rng) => makeName('town', rng),
  river: (rng) => makeName('river', rng),
};
