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
  const best = (measure: (gold: string) => boolean): 0 | 1 => (wanted.some(measure) ? 1 : 0);
  const predicted = { text: said, words: wordsOf(said) };
  const dates = datesIn(predicted.words);
  return {
    em: best((gold) => gold === said),
    coverEm: best((gold) => said.includes(gold)),
    f1: wordOverlap(predicted, wanted),
    relaxed: best((gold) => gold === said || (!POLAR.has(gold) && (hasRun(said, gold) || sameDate(gold, dates)))),
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

function sameDate(gold: string, dates: ReadonlySet<string>): boolean {
  const date = onlyDate(wordsOf(gold));
  return date !== undefined && dates.has(date);
}

/** F1 over words with their multiplicity. */
function wordOverlap(predicted: { text: string; words: readonly string[] }, golds: readonly string[]): number {
  const counts = countsOf(predicted.words);
  let best = 0;
  for (const gold of golds) {
    if (gold !== predicted.text && (UNDIVIDED.has(gold) || UNDIVIDED.has(predicted.text))) continue;
    const words = wordsOf(gold);
    let same = 0;
    for (const [word, count] of countsOf(words)) same += Math.min(count, counts.get(word) ?? 0);
    if (same === 0) continue;
    const precision = same / predicted.words.length;
    const recall = same / words.length;
    best = Math.max(best, (2 * precision * recall) / (precision + recall));
  }
  return best;
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
