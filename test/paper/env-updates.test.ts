/** Player 2 by hand: what each environment update makes of the same judged generations. */
import { describe, expect, it } from 'vitest';
import { ENV_UPDATES, type Judged } from '../../src/core/env-update.ts';
import { LETTER } from './letter.ts';

const curriculum = { ...LETTER, beta: 4 };

const judge = (id: string, seedId: string, k?: number): Judged => ({
  head: {
    id,
    seedId,
    rootId: seedId,
    taskId: k === undefined ? null : `task-${id}`,
    rejected: k === undefined ? 'notJson' : null,
  },
  evidence: k === undefined ? undefined : { successes: k, attempts: 10 },
  crowding: 1,
});

/** Seed s: calibrated, impossible, trivial, rejected. Seed u: two in the band. R_env with β = 4, distances 0, ½, ½. */
const judged = [
  judge('s0', 's', 5), // p̂ 0.5: R = 1
  judge('s1', 's', 0), // p̂ 0:   R = e⁻¹ = 0.3678794
  judge('s2', 's', 10), // p̂ 1:  R = e⁻¹
  judge('s3', 's'), // rejected: R = 0
  judge('u0', 'u', 4), // p̂ 0.4: R = e^(−0.04) = 0.9607894
  judge('u1', 'u', 6), // p̂ 0.6: R = e^(−0.04)
];

const scored = (name: keyof typeof ENV_UPDATES) => {
  const scores = ENV_UPDATES[name].score(judged, curriculum);
  return { scores, kept: scores.map((s) => s.kept), weights: scores.map((s) => s.weight) };
};
const close = (got: number[], want: number[]) => {
  want.forEach((w, i) => {
    expect(got[i]).toBeCloseTo(w, 9);
  });
};

describe('every update', () => {
  it.each(['rwr', 'grpo', 'hindsight', 'none'] as const)(
    '%s reports p̂ and R_env of every generation, in order',
    (name) => {
      const { scores } = scored(name);
      expect(scores.map((s) => s.generationId)).toEqual(['s0', 's1', 's2', 's3', 'u0', 'u1']);
      expect(scores.map((s) => s.taskId)).toEqual(['task-s0', 'task-s1', 'task-s2', null, 'task-u0', 'task-u1']);
      expect(scores.map((s) => s.successRate)).toEqual([0.5, 0, 1, 0, 0.4, 0.6]);
      close(
        scores.map((s) => s.envReward),
        [1, Math.exp(-1), Math.exp(-1), 0, Math.exp(-0.04), Math.exp(-0.04)],
      );
      expect(ENV_UPDATES[name].name).toBe(name);
    },
  );
});

describe('rwr', () => {
  // Survivors: s0, u0, u1. exp(R): 2.7182818, 2.6137591, 2.6137591; sum 7.9458000; times 3/sum for mean 1.
  it('weighs the survivors of the filter by exp(R_env), whatever their seed', () => {
    const { kept, weights } = scored('rwr');
    expect(kept).toEqual([true, false, false, false, true, true]);
    close(weights, [1.026308934569185, 0, 0, 0, 0.9868455327154074, 0.9868455327154074]);
  });
});

describe('grpo', () => {
  // Seed s: R = 1, 0.3678794, 0.3678794, 0; mean 0.4339397; deviations 0.5660603, −0.0660603, −0.0660603, −0.4339397;
  // std 0.3596720, plus ε = 0.0001. Seed u: equal rewards, nothing to learn.
  it('compares a seed’s variations: the calibrated one is praised, the rejected one blamed most', () => {
    const { kept, weights } = scored('grpo');
    expect(kept).toEqual([true, true, true, true, false, false]);
    close(weights, [1.5733860643076905, -0.18361705778445878, -0.18361705778445878, -1.2061519487387728, 0, 0]);
  });
});

describe('hindsight', () => {
  it('takes every judged task at 1, as an answer to the question it turned out to answer', () => {
    const { kept, weights } = scored('hindsight');
    expect(kept).toEqual([true, true, true, false, true, true]);
    expect(weights).toEqual([1, 1, 1, 0, 1, 1]);
    expect(ENV_UPDATES.hindsight.relabels).toBe(true);
    expect(ENV_UPDATES.rwr.relabels || ENV_UPDATES.grpo.relabels).toBe(false);
  });
});

describe('none', () => {
  it('keeps nothing, whatever it is worth', () => {
    const { kept, weights } = scored('none');
    expect(kept).toEqual(judged.map(() => false));
    expect(weights).toEqual(judged.map(() => 0));
  });
});
