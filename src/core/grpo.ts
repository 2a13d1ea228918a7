/** GRPO, the agent's update: group-relative advantages, and how a group of rollouts becomes training sequences. */
import type { Datum } from './engine.ts';
import type { Experience, Turn } from './types.ts';

export type AdvantageKind = 'grpo' | 'drGrpo';

/** Keeps a group of nearly equal rewards from blowing up; of the size of one wrong answer in a very large group. */
const EPSILON = 1e-4;

/** (r − mean)/(std + ε) in a group, or r − mean for Dr. GRPO. They sum to zero; equal rewards give zeros. */
export function advantages(rewards: readonly number[], kind: AdvantageKind): number[] {
  if (!varied(rewards)) return rewards.map(() => 0);
  const mean = rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
  const centred = rewards.map((r) => r - mean);
  if (kind === 'drGrpo') return centred;
  const std = Math.sqrt(centred.reduce((sum, c) => sum + c * c, 0) / rewards.length);
  return centred.map((c) => c / (std + EPSILON));
}

/** Whether rewards differ at all: compared as given, since a mean of equal numbers can round away from them. */
export const varied = (rewards: readonly number[]): boolean => rewards.some((r) => r !== rewards[0]);

/**
 * The training sequences of a batch of groups. The loss is a mean over all tokens the agent wrote in the batch, so a long
 * answer is neither favoured nor punished for its length. Groups whose rewards are all equal have no signal and give
 * nothing; rollouts that could not be evaluated are left out.
 */
export function grpoData(groups: readonly (readonly Experience[])[], kind: AdvantageKind): Datum[] {
  const data: Datum[] = [];
  for (const traces of groups) {
    const valid = traces.filter((trace) => trace.valid);
    const rewards = valid.map((trace) => trace.reward);
    if (!varied(rewards)) continue;
    const credit = advantages(rewards, kind);
    valid.forEach((trace, i) => {
      for (const datum of sequences(trace.turns)) data.push(withCredit(datum, credit[i]!));
    });
  }
  return normalise(data);
}

/**
 * One sequence while each turn's prompt extends what came before, a new one where it does not (a template that rewrites
 * history, say). Only what the policy wrote has weight.
 */
export function sequences(turns: readonly Turn[]): Datum[] {
  const chains: Turn[][] = [];
  for (const turn of turns) {
    const chain = chains.at(-1);
    if (chain && extendsTurn(chain.at(-1)!, turn)) chain.push(turn);
    else chains.push([turn]);
  }
  return chains.map((chain) => {
    const last = chain.at(-1)!;
    const length = last.prompt.length + last.tokens.length;
    const datum = {
      tokens: new Int32Array(length),
      weights: new Float32Array(length),
      logprobs: new Float32Array(length),
    };
    datum.tokens.set(last.prompt);
    datum.tokens.set(last.tokens, last.prompt.length);
    for (const turn of chain) {
      datum.weights.fill(1, turn.prompt.length, turn.prompt.length + turn.tokens.length);
      datum.logprobs.set(turn.logprobs, turn.prompt.length);
    }
    return datum;
  });
}

function extendsTurn(before: Turn, after: Turn): boolean {
  const { prompt, tokens } = before;
  if (after.prompt.length < prompt.length + tokens.length) return false;
  for (let i = 0; i < prompt.length; i++) if (after.prompt[i] !== prompt[i]) return false;
  for (let i = 0; i < tokens.length; i++) if (after.prompt[prompt.length + i] !== tokens[i]) return false;
  return true;
}

/** The same credit on every position: the mask is in the weights. */
export const withCredit = (datum: Datum, credit: number): Datum => ({
  ...datum,
  advantages: new Float32Array(datum.tokens.length).fill(credit),
});

/** Divides the mask by the number of tokens it holds, over the whole batch: losses become means. */
export function normalise(data: Datum[]): Datum[] {
  let written = 0;
  for (const { weights } of data) for (const w of weights) written += w;
  if (written === 0) return data;
  for (const { weights } of data) for (let t = 0; t < weights.length; t++) weights[t]! /= written;
  return data;
}
