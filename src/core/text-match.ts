/** A text reward, word by word: what the metric read of both texts, and which words it counted as shared. */

import { answerText, sharedWords, similarity, words } from './agent-reward.ts';
import { align } from './align.ts';
import type { EvalSpec, Json } from './types.ts';

export interface ComparedWord {
  word: string;
  shared: boolean;
}

export interface TextMatch {
  /** Words after normalisation, in order. */
  answer: ComparedWord[];
  target: ComparedWord[];
  /** How many the metric counts as shared; for `exact` those in the same order, which it does not ask about. */
  shared: number;
  /** Eq. 1. */
  score: number;
}

export function textMatch(answer: Json, { metric, target }: Extract<EvalSpec, { kind: 'text' }>): TextMatch {
  const said = answerText(answer);
  const [got, want] = [words(said), words(target)];
  const marked = metric === 'f1' ? sharedAnywhere(got, want) : sharedInOrder(got, want);
  const shared = sharedWords[metric === 'f1' ? 'f1' : 'rougeL'](got, want);
  return { ...marked, shared, score: similarity[metric](said, target) };
}

type Marked = Pick<TextMatch, 'answer' | 'target'>;

function sharedInOrder(got: readonly string[], want: readonly string[]): Marked {
  const pairs = align(got, want, (a, b) => a === b);
  const side = (name: 'left' | 'right') =>
    pairs.flatMap((pair) => {
      const word = pair[name];
      return word === undefined ? [] : [{ word, shared: pair.left === pair.right }];
    });
  return { answer: side('left'), target: side('right') };
}

/** As many of each word as both have, the first ones. */
function sharedAnywhere(got: readonly string[], want: readonly string[]): Marked {
  return { answer: markedBy(got, want), target: markedBy(want, got) };
}

function markedBy(list: readonly string[], other: readonly string[]): ComparedWord[] {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  return list.map((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return { word, shared: count > 0 };
  });
}
