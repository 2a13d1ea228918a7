import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentPoolEntry, isFresh, mixture, replayWeight, seedAim, seedWeight } from './pools.ts';
import type { Outcome } from './types.ts';

describe('what enters and leaves the agent pool', () => {
  const outcome: Outcome = {
    taskId: 't',
    seedId: 's',
    rootId: 'r',
    role: 'fresh',
    structure: '',
    successes: 4,
    attempts: 8,
    invalid: 0,
    meanReward: 0.5,
    varied: true,
    responseTokens: 1,
    promptTokens: 1,
  };

  it('is worth most at one half and lately, and never nothing', () => {
    const replay = (p: number, met = 4) => replayWeight({ pool: 'agent', memberId: 't', epoch: met, weight: p }, 5);
    expect([0, 0.25, 0.5, 1].map((p) => replay(p))).toEqual([0.25, 0.8125, 1, 0.25]);
    expect([3, 2, 1].map((met) => replay(0.5) / replay(0.5, met))).toEqual([4, 9, 16]);
  });

  it('seeds new tasks where success is near what is aimed at, and the less the longer ago it was met', () => {
    const seed = (p: number, met = 4, aim = 0.5) =>
      seedWeight({ pool: 'agent', memberId: 't', epoch: met, weight: p }, 5, aim);
    expect(seed(0.5)).toBe(1);
    expect(seed(0.3)).toBeCloseTo(Math.exp(-1), 12);
    expect(seed(0.3, 4, 0.3)).toBe(1);
    expect(seed(1)).toBeLessThan(0.01);
    expect([3, 2, 1].map((met) => seed(0.5) / seed(0.5, met))).toEqual([4, 9, 16]);
  });

  it('looks for harder seeds after an easy epoch, for easier ones after a hard one, within limits', () => {
    expect(seedAim(0.5)).toBe(0.3);
    expect([0.55, 0.4, 1, 0].map((achieved) => seedAim(0.5, achieved))).toEqual([
      expect.closeTo(0.15, 12),
      expect.closeTo(0.6, 12),
      0.1,
      0.9,
    ]);
  });

  it('takes tasks with a judged rollout, and never what is held out', () => {
    expect(agentPoolEntry(outcome, 3)).toEqual({ pool: 'agent', memberId: 't', epoch: 3, weight: 0.5 });
    expect(agentPoolEntry({ ...outcome, successes: 0 }, 3)).toMatchObject({ weight: 0 });
    expect(agentPoolEntry({ ...outcome, attempts: 0, successes: 0, invalid: 8 }, 3)).toBeUndefined();
    for (const role of ['validation', 'test'] as const) expect(agentPoolEntry({ ...outcome, role }, 3)).toBeUndefined();
  });

  it('feeds traces to GRPO again only while they are young enough', () => {
    expect([5, 4, 3, 2].map((epoch) => isFresh(epoch, 5, 2))).toEqual([true, true, true, false]);
    expect([5, 4].map((epoch) => isFresh(epoch, 5, 0))).toEqual([true, false]);
  });
});

describe('mixture', () => {
  it('shares out exactly the total, each part within one of its share', () => {
    const shares = fc.tuple(fc.nat(100), fc.nat(100)).filter(([base, replay]) => base + replay <= 100);
    fc.assert(
      fc.property(fc.nat(5000), shares, (total, [base, replay]) => {
        const got = mixture(total, { baseShare: base / 100, replayShare: replay / 100 });
        expect(got.fresh + got.base + got.replay).toBe(total);
        expect(Math.min(got.fresh, got.base, got.replay)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(got.base - (total * base) / 100)).toBeLessThanOrEqual(0.5 + 1e-9);
        expect(Math.abs(got.replay - (total * replay) / 100)).toBeLessThanOrEqual(0.5 + 1e-9);
      }),
    );
  });

  it.each([
    [100, 0.1, 0.2, { fresh: 70, base: 10, replay: 20 }],
    [5, 0.5, 0.5, { fresh: 0, base: 3, replay: 2 }],
    [0, 0.5, 0.5, { fresh: 0, base: 0, replay: 0 }],
    [7, 0, 0, { fresh: 7, base: 0, replay: 0 }],
  ])('%d with shares %d and %d', (total, baseShare, replayShare, want) => {
    expect(mixture(total, { baseShare, replayShare })).toEqual(want);
  });
});
