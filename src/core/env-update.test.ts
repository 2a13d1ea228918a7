import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LETTER } from '../../test/paper/letter.ts';
import { ENV_UPDATES, type Judged } from './env-update.ts';

const curriculum = { ...LETTER, beta: 4, minKept: 0.25 };
const judged: fc.Arbitrary<Judged[]> = fc
  .array(fc.tuple(fc.constantFrom('s', 'u', 'v'), fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined })))
  .map((rows) =>
    rows.map(([seedId, k], i) => ({
      head: {
        id: `${i}`,
        seedId,
        rootId: seedId,
        taskId: k === undefined ? null : `t${i}`,
        rejected: k === undefined ? 'schema' : null,
      },
      evidence: k === undefined ? undefined : { successes: k, attempts: 8 },
      crowding: 1,
    })),
  );
const names = Object.keys(ENV_UPDATES) as (keyof typeof ENV_UPDATES)[];

describe('every environment update', () => {
  it('gives one score per generation, in order, and no weight to what is not kept', () => {
    fc.assert(
      fc.property(judged, fc.constantFrom(...names), (all, name) => {
        const scores = ENV_UPDATES[name].score(all, curriculum);
        expect(scores.map((s) => s.generationId)).toEqual(all.map((j) => j.head.id));
        for (const s of scores) if (!s.kept) expect(s.weight).toBe(0);
      }),
    );
  });

  it('never weighs a rejected generation above zero', () => {
    fc.assert(
      fc.property(judged, fc.constantFrom(...names), (all, name) => {
        ENV_UPDATES[name].score(all, curriculum).forEach((s, i) => {
          if (!all[i]!.evidence) expect(s.weight).toBeLessThanOrEqual(0);
        });
      }),
    );
  });
});

describe('diversity quotas', () => {
  const task = (id: string, crowding: number): Judged => ({
    head: { id, seedId: 's', rootId: 's', taskId: id, rejected: null },
    evidence: { successes: 4, attempts: 8 },
    crowding,
  });

  it('scale down the reward of crowded kinds, and in rwr their weight too', () => {
    const [alone, crowded] = ENV_UPDATES.rwr.score([task('alone', 1), task('crowded', 0.5)], curriculum);
    expect([alone!.envReward, crowded!.envReward]).toEqual([1, 0.5]);
    // Half the gate, and exp(λ·½) less reward.
    expect(crowded!.weight / alone!.weight).toBeCloseTo(0.5 * Math.exp(-0.5), 12);
  });

  it('let grpo tell apart what the agent solves equally often', () => {
    const [alone, crowded] = ENV_UPDATES.grpo.score([task('alone', 1), task('crowded', 0.5)], curriculum);
    expect(alone!.weight).toBeGreaterThan(0);
    expect(crowded!.weight).toBeLessThan(0);
  });

  it('keep no task from being kept: a kind is worth less, not nothing', () => {
    for (const name of ['rwr', 'grpo', 'hindsight'] as const) {
      expect(ENV_UPDATES[name].score([task('a', 1), task('b', 0.01)], curriculum).every((s) => s.kept)).toBe(true);
    }
  });
});

describe('grpo', () => {
  it('sums to zero within each seed', () => {
    fc.assert(
      fc.property(judged, (all) => {
        const scores = ENV_UPDATES.grpo.score(all, curriculum);
        for (const seed of ['s', 'u', 'v']) {
          const total = scores.reduce((sum, s, i) => sum + (all[i]!.head.seedId === seed ? s.weight : 0), 0);
          expect(total).toBeCloseTo(0, 9);
        }
      }),
    );
  });

  it('scores a seed without regard to the others', () => {
    fc.assert(
      fc.property(judged, (all) => {
        const alone = ENV_UPDATES.grpo.score(
          all.filter((j) => j.head.seedId === 's'),
          curriculum,
        );
        const together = ENV_UPDATES.grpo.score(all, curriculum).filter((_, i) => all[i]!.head.seedId === 's');
        expect(together).toEqual(alone);
      }),
    );
  });

  it('keeps nothing of a seed whose variations are all alike, however their mean rounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 97 }), fc.integer({ min: 1, max: 9 }), (k, copies) => {
        const same = Array.from(
          { length: copies },
          (_, i): Judged => ({
            head: { id: `${i}`, seedId: 's', rootId: 's', taskId: `t${i}`, rejected: null },
            evidence: { successes: k, attempts: 97 },
            crowding: 1,
          }),
        );
        expect(ENV_UPDATES.grpo.score(same, curriculum).some((s) => s.kept || s.weight !== 0)).toBe(false);
      }),
    );
  });
});
