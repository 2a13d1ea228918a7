/** GRPO, the agent's update: group-relative advantages over the rollouts of a task. */
import type { Datum } from './engine.ts';
import { normalise, sequences, withCredit } from './sequences.ts';
import type { Experience } from './types.ts';

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
