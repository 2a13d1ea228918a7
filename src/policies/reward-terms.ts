/** What a judge says of its reward, cut to what is worth keeping with every rollout: it may quote what a model wrote. */
import type { RewardTerm } from '../core/types.ts';

const MOST_TERMS = 64;
const LONGEST_NAME = 120;
const LONGEST_DETAIL = 300;

export const boundedTerms = (terms: readonly RewardTerm[]): RewardTerm[] =>
  terms.slice(0, MOST_TERMS).map(({ name, score, detail }) => ({
    name: cut(name, LONGEST_NAME),
    // Only finite numbers can be stored.
    score: score !== null && Number.isFinite(score) ? score : null,
    ...(detail === undefined ? {} : { detail: cut(detail, LONGEST_DETAIL) }),
  }));

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);
