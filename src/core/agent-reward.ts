/** Eq. 1: R_agent(a′, a) = 𝟙(a′ = a) for structured actions, sim(a′, a) ∈ [0, 1] for free text. */
import { canonicalJson, sameJson } from './content-id.ts';
import type { EvalSpec, Json, TextMetric, ToolCall } from './types.ts';

/** Structured answers match exactly or not at all; free text is scored by similarity. */
export function agentReward(answer: Json, spec: EvalSpec): number {
  switch (spec.kind) {
    case 'toolCalls':
      return sameCalls(answer, spec.target, spec.order ?? 'exact') ? 1 : 0;
    case 'json':
      return sameJson(answer, spec.target) ? 1 : 0;
    case 'text':
      return similarity[spec.metric](answerText(answer), spec.target);
    case 'script':
      throw new TypeError(
        'A script checker runs in the sandbox, and this build has none: use a toolCalls, json or text eval.',
      );
    case 'world':
      throw new TypeError(`The world "${spec.world}" judges its own goal: its benchmark must supply the checker.`);
    default:
      return spec satisfies never;
  }
}

/** What a text metric reads of an answer. */
export const answerText = (answer: Json): string => (typeof answer === 'string' ? answer : canonicalJson(answer));

export const isStructured = (spec: EvalSpec): boolean => spec.kind !== 'text';

/** METHOD: k counts attempts at or above the threshold, 1 for structured answers and 0.8 for text unless set. */
export const isSuccess = (reward: number, spec: EvalSpec, threshold: number | 'auto'): boolean =>
  reward >= thresholdOf(spec, threshold);

export const thresholdOf = (spec: EvalSpec, threshold: number | 'auto'): number =>
  threshold === 'auto' ? (isStructured(spec) ? 1 : 0.8) : threshold;

function sameCalls(answer: Json, target: readonly ToolCall[], order: 'exact' | 'any'): boolean {
  if (!Array.isArray(answer) || answer.length !== target.length) return false;
  const want = target as readonly { [K in keyof ToolCall]: Json }[]; // A call is JSON; an interface has no index signature.
  if (order === 'exact') return answer.every((call, i) => sameJson(call, want[i]!));
  const sorted = (calls: readonly Json[]) => calls.map(canonicalJson).sort().join();
  return sorted(answer) === sorted(want);
}

/** sim(a′, a) of Eq. 1. All are 1 on equal texts and 0 where nothing is shared. */
export const similarity: Record<TextMetric, (answer: string, target: string) => number> = {
  exact: (answer, target) => (normalise(answer) === normalise(target) ? 1 : 0),
  f1: (answer, target) => harmonic(words(answer), words(target), 'f1'),
  rougeL: (answer, target) => harmonic(words(answer), words(target), 'rougeL'),
};

/** How many words two texts share: as many of each as both have, or those that stand in the same order. */
export const sharedWords: Record<
  Exclude<TextMetric, 'exact'>,
  (a: readonly string[], b: readonly string[]) => number
> = { f1: overlap, rougeL: longestCommonSubsequence };

/**
 * The usual normalisation of question answering: case, accents' composition, punctuation, articles, spaces. A step that
 * would leave nothing is not taken: silence must not match the answer "A", nor "+" the answer "-".
 */
export const normalise = (text: string): string => words(text).join(' ');

/** The words of a text after that: what the metrics count. */
export function words(text: string): string[] {
  const raw = text.normalize('NFKC').toLowerCase();
  const plain = split(raw.replace(/[\p{P}\p{S}]/gu, ' '));
  const all = plain.length > 0 ? plain : split(raw);
  const content = all.filter((word) => !ARTICLES.has(word));
  return content.length > 0 ? content : all;
}

const ARTICLES = new Set(['a', 'an', 'the']);

const split = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** F1 of precision shared/got and recall shared/want. Two empty texts are equal. */
function harmonic(got: readonly string[], want: readonly string[], metric: keyof typeof sharedWords): number {
  if (got.length === 0 && want.length === 0) return 1;
  return (2 * sharedWords[metric](got, want)) / (got.length + want.length);
}

function overlap(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of a) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      shared++;
      left.set(word, count - 1);
    }
  }
  return shared;
}

/** Two rows of the usual table: memory in the length of one text. */
function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  let previous = new Uint32Array(b.length + 1);
  for (const word of a) {
    const row = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      row[j] = word === b[j - 1] ? previous[j - 1]! + 1 : Math.max(previous[j]!, row[j - 1]!);
    }
    previous = row;
  }
  return previous[b.length]!;
}
