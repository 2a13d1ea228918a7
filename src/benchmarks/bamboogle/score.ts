/** The deterministic metrics: EM, cover-EM and F1 as Search-R1 and FlashRAG compute them, and `relaxed`, which is ours. */
import { datesIn, onlyDate } from './dates.ts';
import { hasRun, normalise, wordsOf } from './normalise.ts';

export interface Scores {
  em: 0 | 1;
  coverEm: 0 | 1;
  f1: number;
  /** EM, or the gold's words in a row in the prediction, or the same date written otherwise. */
  relaxed: 0 | 1;
}

/** The best over all golds, by each metric on its own. */
export function scoresOf(prediction: string, golds: readonly string[]): Scores {
  const said = normalise(prediction);
  const wanted = golds.map(normalise);
  const words = wordsOf(said);
  const isRight = wanted.includes(said);
  return {
    em: isRight ? 1 : 0,
    coverEm: wanted.some((gold) => said.includes(gold)) ? 1 : 0,
    f1: wordOverlap(said, words, wanted),
    relaxed:
      isRight || wanted.some((gold) => !POLAR.has(gold) && hasRun(said, gold)) || sharesDate(words, wanted) ? 1 : 0,
  };
}

export const isExactMatch = (prediction: string, golds: readonly string[]): boolean => {
  const said = normalise(prediction);
  return golds.some((gold) => normalise(gold) === said);
};

/** Answers of which half is not half right. */
const UNDIVIDED = new Set(['yes', 'no', 'noanswer']);
/** Too common as words inside a sentence to count when they occur in one. */
const POLAR = new Set(['yes', 'no']);

/** Whether a gold that is a date and nothing else is said, in whatever order. */
function sharesDate(words: readonly string[], golds: readonly string[]): boolean {
  const wanted = golds.flatMap((gold) => onlyDate(wordsOf(gold)) ?? []);
  if (wanted.length === 0) return false;
  const said = datesIn(words);
  return wanted.some((date) => said.has(date));
}

/** F1 over words with their multiplicity. */
function wordOverlap(said: string, words: readonly string[], golds: readonly string[]): number {
  const counts = countsOf(words, new Set(golds.flatMap(wordsOf)));
  let best = 0;
  for (const gold of golds) {
    if (gold !== said && (UNDIVIDED.has(gold) || UNDIVIDED.has(said))) continue;
    const wanted = wordsOf(gold);
    let same = 0;
    for (const [word, count] of countsOf(wanted)) same += Math.min(count, counts.get(word) ?? 0);
    if (same === 0) continue;
    const precision = same / words.length;
    const recall = same / wanted.length;
    best = Math.max(best, (2 * precision * recall) / (precision + recall));
  }
  return best;
}

/** How often each word is there; of those in `among` alone, since a prediction can be long. */
function countsOf(words: readonly string[], among?: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) if (!among || among.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
