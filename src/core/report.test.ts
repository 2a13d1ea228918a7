import { describe, expect, it } from 'vitest';
import type { GenerationHead } from './journal.ts';
import { agentMetrics, curriculumMetrics, diversity, generationMetrics, heldOutMetrics } from './report.ts';
import type { Outcome, RejectReason, Score } from './types.ts';

const outcome = (successes: number, attempts: number, changes: Partial<Outcome> = {}): Outcome => ({
  taskId: `t${successes}/${attempts}`,
  seedId: 's',
  rootId: 's',
  role: 'fresh',
  structure: 'x',
  successes,
  attempts,
  invalid: 0,
  meanReward: attempts > 0 ? successes / attempts : 0,
  varied: successes > 0 && successes < attempts,
  responseTokens: 10,
  promptTokens: 20,
  ...changes,
});
const band = { alpha: 0.5, kMin: 0.1 };

describe('the curriculum in numbers', () => {
  it('is worked by hand: 0/4, 2/4, 4/4 and 3/8', () => {
    const metrics = curriculumMetrics(
      [
        outcome(0, 4, { structure: 'a', promptTokens: 10 }),
        outcome(2, 4, { structure: 'a', promptTokens: 20 }),
        outcome(4, 4, { structure: 'b', promptTokens: 30 }),
        outcome(3, 8, { structure: 'c', promptTokens: 40 }),
      ],
      band,
    );
    // Rates 0, 0.5, 1, 0.375: mean 0.46875, squares 0 + 0.25 + 1 + 0.140625 over 4.
    expect(metrics['env/successRate']).toBeCloseTo(9 / 20, 12);
    expect(metrics['env/successSpread']).toBeCloseTo(Math.sqrt(1.390625 / 4 - 0.46875 ** 2), 12);
    expect(metrics).toMatchObject({
      'env/bandShare': 0.25,
      'env/usefulShare': 0.5,
      'env/solvedShare': 0.25,
      'env/unsolvedShare': 0.25,
      'env/taskTokens': 25,
      'env/structures': 3,
    });
    // Entropy of (1/2, 1/4, 1/4) is 1.5 bits, of four different ones 2 bits.
    expect(metrics['env/diversity']).toBeCloseTo(0.75, 12);
  });

  it('leaves out tasks that no rollout could judge, and says nothing when there is none', () => {
    expect(curriculumMetrics([outcome(0, 0, { invalid: 8 }), outcome(1, 2)], band)['env/successRate']).toBe(0.5);
    expect(curriculumMetrics([outcome(0, 0, { invalid: 8 })], band)).toEqual({});
    expect(curriculumMetrics([], band)).toEqual({});
  });

  it('counts rates on the edge of the band as inside', () => {
    expect(curriculumMetrics([outcome(2, 5), outcome(3, 5)], band)['env/bandShare']).toBe(1);
    expect(curriculumMetrics([outcome(39, 100), outcome(61, 100)], band)['env/bandShare']).toBe(0);
  });
});

describe('diversity', () => {
  it('is 1 when all are different, 0 when all are alike', () => {
    expect(diversity(['a', 'b', 'c'])).toEqual({ 'env/structures': 3, 'env/diversity': 1 });
    expect(diversity(['a', 'a', 'a'])['env/diversity']).toBeCloseTo(0, 12);
    expect(diversity(['a'])).toEqual({ 'env/structures': 1, 'env/diversity': 0 });
  });
});

describe('what the environment wrote', () => {
  const head = (id: string, rejected: RejectReason | null): GenerationHead => ({
    id,
    seedId: 's',
    rootId: 's',
    taskId: rejected === null ? `task ${id}` : null,
    rejected,
  });
  const score = (id: string, envReward: number, kept: boolean, taskId: string | null = `task ${id}`): Score => ({
    generationId: id,
    taskId,
    successRate: 0.5,
    envReward,
    kept,
    weight: kept ? 1 : 0,
  });
  const judged = (id: string, attempts = 8) => outcome(1, attempts, { taskId: `task ${id}` });

  it('is counted by its fate', () => {
    const heads = [head('1', null), head('2', null), head('3', 'duplicate'), head('4', 'notJson')];
    const scores = [
      score('1', 1, true),
      score('2', 0.5, false),
      score('3', 0, false, null),
      score('4', 0, false, null),
    ];
    expect(generationMetrics(heads, scores, [judged('1'), judged('2')])).toEqual({
      'env/rejectedShare': 0.5,
      'env/duplicateShare': 0.25,
      'env/keptShare': 0.25,
      'env/reward': 0.75,
    });
  });

  it('earns a reward of nothing when it was judged so, and none at all when it was not judged', () => {
    const heads = [head('1', null), head('2', null), head('3', null)];
    const scores = [score('1', 1, true), score('2', 0, false), score('3', 0, false)];
    expect(generationMetrics(heads, scores, [judged('1'), judged('2'), judged('3', 0)])['env/reward']).toBe(0.5);
  });

  it('is nothing when nothing was written, and has no reward when nothing was judged', () => {
    expect(generationMetrics([], [], [])).toEqual({});
    expect(generationMetrics([head('1', 'notJson')], [score('1', 0, false, null)], [])).toEqual({
      'env/rejectedShare': 1,
      'env/duplicateShare': 0,
      'env/keptShare': 0,
    });
    expect(generationMetrics([head('1', null)], [], [])['env/keptShare']).toBe(0);
  });
});

describe('what the agent did', () => {
  it('is averaged over tasks, and crashes are a share of all rollouts', () => {
    const metrics = agentMetrics([
      outcome(2, 4, { responseTokens: 10, invalid: 0 }),
      outcome(1, 1, { responseTokens: 40, invalid: 3, role: 'base' }),
      outcome(0, 0, { responseTokens: 99, invalid: 4, role: 'replay' }),
    ]);
    expect(metrics).toEqual({ 'agent/reward': 0.75, 'agent/responseTokens': 25, 'rollout/invalidShare': 7 / 12 });
  });

  it('is only a share of crashes when nothing could be judged, and nothing when nothing was tried', () => {
    expect(agentMetrics([outcome(0, 0, { invalid: 4 })])).toEqual({ 'rollout/invalidShare': 1 });
    expect(agentMetrics([])).toEqual({});
  });

  it('on held-out tasks weighs every attempt the same', () => {
    const metrics = heldOutMetrics('val', [
      outcome(1, 4, { meanReward: 0.25, responseTokens: 10 }),
      outcome(1, 1, { meanReward: 1, responseTokens: 20 }),
      outcome(0, 0, { invalid: 4 }),
    ]);
    expect(metrics).toEqual({ 'val/reward': 0.625, 'val/successRate': 0.4, 'val/responseTokens': 15 });
    expect(heldOutMetrics('test', [])).toEqual({});
  });
});
