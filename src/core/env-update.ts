/**
 * How the environment learns from what the agent made of its tasks. Exchangeable rules turn judged generations into one
 * weight each; the weighted set then goes through one training routine.
 */
import { type Appraisal, appraise, type CurriculumSettings, rwrWeights } from './curriculum.ts';
import { advantages } from './grpo.ts';
import type { GenerationHead } from './journal.ts';
import type { Evidence } from './success-rate.ts';
import type { Score } from './types.ts';

/** A generation and the evidence its task earned; none when it was rejected or no rollout could be judged. */
export interface Judged {
  head: GenerationHead;
  evidence: Evidence | undefined;
  /** What diversity quotas leave of its reward, in [0, 1]. */
  crowding: number;
}

export interface EnvUpdate {
  readonly name: 'rwr' | 'grpo' | 'hindsight' | 'none';
  score(judged: readonly Judged[], curriculum: CurriculumSettings): Score[];
  /** Train on the context that asks for the success rate the task turned out to have, not the one that was asked for. */
  readonly relabels: boolean;
}

/** The paper: survivors of the filter, weighted ∝ exp(λ·R_env). It re-weights what was written and knows no negatives. */
const rwr: EnvUpdate = {
  name: 'rwr',
  relabels: false,
  score(judged, curriculum) {
    const appraisals = appraiseAll(judged, curriculum);
    const weights = rwrWeights(appraisals, curriculum.lambda);
    return judged.map((j, i) => toScore(j, appraisals[i]!, weights[i]!));
  },
};

/**
 * Advantages of R_env among a seed's variations: also learns what not to write. A rejected generation earns nothing; one
 * that the engine failed on, or whose rollouts all broke down, is left out, because that is not its author's fault.
 */
const grpo: EnvUpdate = {
  name: 'grpo',
  relabels: false,
  score(judged, curriculum) {
    const appraisals = appraiseAll(judged, curriculum);
    const weights = new Float64Array(judged.length);
    for (const members of bySeed(judged).values()) {
      const credit = advantages(
        members.map((i) => appraisals[i]!.envReward),
        'grpo',
      );
      members.forEach((i, m) => {
        weights[i] = credit[m]!;
      });
    }
    return judged.map((j, i) => toScore(j, { ...appraisals[i]!, kept: weights[i] !== 0 }, weights[i]!));
  },
};

/** Every judged task is a good answer to the question it turned out to answer. */
const hindsight: EnvUpdate = {
  name: 'hindsight',
  relabels: true,
  score(judged, curriculum) {
    const appraisals = appraiseAll(judged, { ...curriculum, filter: 'none' });
    return judged.map((j, i) => toScore(j, appraisals[i]!, appraisals[i]!.kept ? 1 : 0));
  },
};

/** A simulator that stays as it is: what is left of the curriculum is the archive's choice of seeds. */
const none: EnvUpdate = {
  name: 'none',
  relabels: false,
  score: (judged, curriculum) =>
    appraiseAll(judged, curriculum).map((appraisal, i) => toScore(judged[i]!, { ...appraisal, kept: false }, 0)),
};

export const ENV_UPDATES: Record<EnvUpdate['name'], EnvUpdate> = { rwr, grpo, hindsight, none };

const appraiseAll = (judged: readonly Judged[], curriculum: CurriculumSettings): Appraisal[] =>
  appraise(
    judged.map((j) => j.evidence),
    curriculum,
  ).map((appraisal, i) => {
    const { crowding } = judged[i]!;
    return { ...appraisal, envReward: crowding * appraisal.envReward, gate: crowding * appraisal.gate };
  });

const toScore = ({ head }: Judged, { successRate, envReward, kept }: Appraisal, weight: number): Score => ({
  generationId: head.id,
  taskId: head.taskId,
  successRate,
  envReward,
  kept,
  weight,
});

function bySeed(judged: readonly Judged[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  judged.forEach(({ head, evidence }, i) => {
    if (head.rejected === 'error' || (head.rejected === null && !evidence?.attempts)) return;
    members.set(head.seedId, [...(members.get(head.seedId) ?? []), i]);
  });
  return members;
}
