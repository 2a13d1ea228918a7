/** Values in a passage that could be taken for the answer: the more there are, the harder the question. */
import { normalise, wordsOf } from './normalise.ts';
import type { TwoHop } from './two-hop.ts';

export type Kind = 'number' | 'dated' | 'named';

export function kindOf(answer: string): Kind {
  const text = normalise(answer);
  if (/^\d+$/.test(text)) return 'number';
  return /\d/.test(text) ? 'dated' : 'named';
}

/** Other values in the second passage that could be taken for the answer: other numbers, or other names. */
export function rivalsOf({ evidence: [, { text }], bridge, answer }: TwoHop): number {
  const own = new Set(wordsOf(normalise(`${bridge} ${answer}`)));
  const others = new Set<string>();
  for (const { 0: value, index } of text.matchAll(VALUES[kindOf(answer)])) {
    const words = wordsOf(normalise(value));
    if (words.length === 0 || words.some((word) => own.has(word))) continue;
    // A capital at the beginning of a sentence makes no name.
    if (words.length === 1 && /^$|[.!?]\s$/.test(text.slice(Math.max(0, index - 2), index))) continue;
    others.add(words.join(' '));
  }
  return others.size;
}

const VALUES: Record<Kind, RegExp> = {
  number: /\d[\d.,]*/g,
  dated: /\d{3,}/g,
  named: /\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*/gu,
};
