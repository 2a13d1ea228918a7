/** What an epoch amounts to, as numbers. p̂ alone can be reached by mixing trivial and impossible tasks: see usefulShare. */
import { type Band, inBand } from './curriculum.ts';
import type { GenerationHead, Ledger } from './journal.ts';
import { isUseful } from './success-rate.ts';
import type { Outcome, Score } from './types.ts';

export type Metrics = Record<string, number>;

/** Generated tasks: their difficulty for the agent, and how different they are from one another. */
export function curriculumMetrics(outcomes: readonly Outcome[], band: Band): Metrics {
  const judged = outcomes.filter((o) => o.attempts > 0);
  if (judged.length === 0) return {};
  const rates = judged.map((o) => o.successes / o.attempts);
  const attempts = sum(judged.map((o) => o.attempts));
  return {
    'env/successRate': sum(judged.map((o) => o.successes)) / attempts,
    'env/successSpread': spread(rates),
    'env/bandShare': share(rates, (rate) => inBand(rate, band)),
    'env/usefulShare': share(judged, isUseful),
    'env/solvedShare': share(rates, (rate) => rate === 1),
    'env/unsolvedShare': share(rates, (rate) => rate === 0),
    'env/taskTokens': mean(judged.map((o) => o.promptTokens)),
    ...diversity(judged.map((o) => o.structure)),
  };
}

/** How many kinds of task there are, and how evenly they are used (1 = all equally often, 0 = one kind only). */
export function diversity(structures: readonly string[]): Metrics {
  const counts = new Map<string, number>();
  for (const structure of structures) counts.set(structure, (counts.get(structure) ?? 0) + 1);
  const entropy = -sum([...counts.values()].map((n) => (n / structures.length) * Math.log(n / structures.length)));
  return {
    'env/structures': counts.size,
    'env/diversity': structures.length > 1 ? entropy / Math.log(structures.length) : 0,
  };
}

/** What the environment wrote and what became of it. */
export function generationMetrics(
  heads: readonly GenerationHead[],
  scores: readonly Score[],
  outcomes: readonly Outcome[],
): Metrics {
  if (heads.length === 0) return {};
  // A reward of 0 counts when it was earned, not when no rollout could be judged.
  const judged = new Set(outcomes.filter((o) => o.attempts > 0).map((o) => o.taskId));
  const rated = scores.filter((s) => s.taskId !== null && judged.has(s.taskId));
  return {
    'env/rejectedShare': share(heads, (head) => head.rejected !== null),
    'env/duplicateShare': share(heads, (head) => head.rejected === 'duplicate'),
    'env/keptShare': scores.length > 0 ? share(scores, (score) => score.kept) : 0,
    ...(rated.length > 0 ? { 'env/reward': mean(rated.map((score) => score.envReward)) } : {}),
  };
}

/** Everything the agent attempted for training, whatever its source. */
export function agentMetrics(outcomes: readonly Outcome[]): Metrics {
  const judged = outcomes.filter((o) => o.attempts > 0);
  const rollouts = sum(outcomes.map((o) => o.attempts + o.invalid));
  if (judged.length === 0) return rollouts > 0 ? { 'rollout/invalidShare': 1 } : {};
  return {
    'agent/reward': mean(judged.map((o) => o.meanReward)),
    'agent/responseTokens': mean(judged.map((o) => o.responseTokens)),
    'rollout/invalidShare': sum(outcomes.map((o) => o.invalid)) / rollouts,
  };
}

export function heldOutMetrics(split: 'val' | 'test', outcomes: readonly Outcome[]): Metrics {
  const judged = outcomes.filter((o) => o.attempts > 0);
  if (judged.length === 0) return {};
  return {
    [`${split}/reward`]: mean(judged.map((o) => o.meanReward)),
    [`${split}/successRate`]: sum(judged.map((o) => o.successes)) / sum(judged.map((o) => o.attempts)),
    [`${split}/responseTokens`]: mean(judged.map((o) => o.responseTokens)),
  };
}

/** What the run has spent when an epoch ends, so that any curve can be drawn against it. */
export const ledgerMetrics = (ledger: Ledger): Metrics =>
  Object.fromEntries(Object.entries(ledger).map(([name, spent]) => [`ledger/${name}`, spent]));

const sum = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);
const mean = (xs: readonly number[]) => sum(xs) / xs.length;
const share = <T>(xs: readonly T[], claim: (x: T) => boolean) => xs.filter(claim).length / xs.length;

/** Standard deviation over the population. */
function spread(xs: readonly number[]): number {
  const centre = mean(xs);
  return Math.sqrt(mean(xs.map((x) => (x - centre) ** 2)));
}
