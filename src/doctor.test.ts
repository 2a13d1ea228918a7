import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../test/cpu-time.ts';
import { type ConfigInput, loadConfig, presets } from './config.ts';
import { type Diagnosis, diagnose } from './doctor.ts';

const doctor = (overrides: ConfigInput = {}, preset?: string) => diagnose(loadConfig({ overrides, preset }).config);
const codes = (overrides: ConfigInput = {}, preset?: string) => doctor(overrides, preset).warnings.map((w) => w.code);
const at = (list: Diagnosis['survival'], p: number) => list.find((entry) => entry.p === p)!.expected;

/** n = 4 attempts in all: the smallest case of the paper's own filter. */
const FOUR: ConfigInput = {
  curriculum: { variations: 4, rollouts: 1, kMin: 0.1, successScope: 'seed', filter: 'strict', reward: 'bell' },
};

describe('expected survival', () => {
  it('of four attempts is the chance of exactly two successes: 0.375 at 0.5, about 0.085 at 0.138', () => {
    const diagnosis = doctor(FOUR);
    expect(diagnosis.attempts).toBe(4);
    expect(at(diagnosis.survival, 0.5)).toBe(0.375);
    expect(at(diagnosis.survival, 0.138)).toBeCloseTo(6 * 0.138 ** 2 * 0.862 ** 2, 6);
    expect(at(diagnosis.survival, 0.138)).toBeCloseTo(0.0849, 4);
    expect(diagnosis.survivalInUse).toEqual(diagnosis.survival);
  });

  it("is the paper's filter and, beside it, the one in use", () => {
    const diagnosis = doctor({ curriculum: { ...FOUR.curriculum, filter: 'soft' } });
    expect(at(diagnosis.survival, 0.5)).toBe(0.375);
    expect(at(diagnosis.survivalInUse, 0.5)).toBeGreaterThan(0.8);
    expect(at(doctor({ curriculum: { filter: 'none' } }).survivalInUse, 0.05)).toBeCloseTo(1, 6);
  });

  it('is symmetric about the middle', () => {
    const { survival } = doctor(FOUR);
    expect(at(survival, 0.4)).toBeCloseTo(at(survival, 0.6), 6);
    expect(at(survival, 0.25)).toBeCloseTo(at(survival, 0.75), 6);
  });

  it('can be computed for any number of attempts in moderate time', () => {
    const spent = cpuStopwatch();
    const diagnosis = doctor({
      curriculum: { successScope: 'epoch', rollouts: 1000, variations: 1000 },
      generation: { seedsPerEpoch: 64 },
    });
    expect(diagnosis.attempts).toBe(64_000_000);
    expect(at(diagnosis.survival, 0.5)).toBeCloseTo(1, 6);
    expect(spent()).toBeLessThan(5_000);
  });
});

describe('attempts', () => {
  it.each([
    ['task', 8],
    ['seed', 32],
    ['epoch', 32 * Number(presets.robust.generation.seedsPerEpoch)],
  ] as const)('in scope %s are %i by default', (successScope, attempts) => {
    expect(doctor({ curriculum: { successScope } }).attempts).toBe(attempts);
  });
});

describe('the other numbers', () => {
  it('give Theorem 1 and the exact chance it bounds, by distance', () => {
    const { misranking, attempts } = doctor({ curriculum: { successScope: 'seed' } });
    expect(misranking.map((m) => m.gap)).toEqual([0.1, 0.25, 0.5]);
    const [, quarter, half] = misranking;
    expect(quarter!.bound).toBe(1);
    expect(half!.bound).toBeCloseTo(4 * Math.exp((-2 / 9) * 0.25 * attempts), 5);
    for (const { bound, exact } of misranking) expect(exact).toBeLessThanOrEqual(bound);
    expect(half!.exact).toBeLessThan(quarter!.exact);
  });

  it('give the share of groups without a gradient', () => {
    expect(at(doctor({ curriculum: { rollouts: 2 } }).zeroGradient, 0.5)).toBe(0.5);
    expect(at(doctor().zeroGradient, 0.5)).toBeCloseTo(2 / 256, 6);
  });

  it('count the weights that survivors can have', () => {
    expect(doctor(FOUR).distinctWeights).toBe(1);
    expect(doctor({ curriculum: { ...FOUR.curriculum, rollouts: 8 } }).distinctWeights).toBe(4);
    expect(doctor({ curriculum: { ...FOUR.curriculum, rollouts: 8, lambda: 0 } }).distinctWeights).toBe(1);
    expect(doctor().distinctWeights).toBeGreaterThan(2);
  });

  it('give the cost of an epoch, tokens at most', () => {
    const { perEpoch } = doctor({
      generation: { seedsPerEpoch: 10, maxTokens: 100 },
      rollout: { maxTokens: 50, maxTurns: 3, tokenBudget: 120 },
    });
    expect(perEpoch).toEqual({
      seeds: 10,
      generations: 28,
      tasks: 40,
      rollouts: 320,
      maxAgentTokens: 320 * 120,
      maxEnvironmentTokens: 2800,
    });
    expect(doctor({ variant: 'base' }).perEpoch).toMatchObject({ generations: 0, maxEnvironmentTokens: 0 });
  });

  it('leave the cost open where it depends on a file', () => {
    const seeds = { name: 'file', seeds: 'seeds.jsonl' } as const;
    const engine = 'scripted' as const;
    const open = doctor({ engine, benchmark: seeds, generation: { seedsPerEpoch: 'all' } }).perEpoch;
    expect(open).toMatchObject({ seeds: 'all', generations: null, rollouts: null });
    const known = doctor({
      engine,
      benchmark: { ...seeds, baseTasks: 5 },
      generation: { seedsPerEpoch: 'all' },
    }).perEpoch;
    expect(known).toMatchObject({ seeds: 5, tasks: 20, rollouts: 160 });
  });

  it('survive a trip through JSON', () => {
    for (const diagnosis of [doctor(), doctor(FOUR), doctor({}, 'paper')]) {
      expect(JSON.parse(JSON.stringify(diagnosis))).toEqual(diagnosis);
    }
  });
});

describe('warnings', () => {
  it('are none for the robust preset', () => {
    expect(codes()).toEqual([]);
    for (const variant of ['genenv-random', 'genenv-static', 'teacher-offline', 'base'] as const)
      expect(codes({ variant })).toEqual([]);
  });

  it('of four attempts in all: few survive, weights are constant, ranking is noise, no gradient', () => {
    expect(codes(FOUR)).toEqual(['survival', 'coldStart', 'constantWeights', 'misranking', 'noGradient']);
    const [survival] = doctor(FOUR).warnings;
    expect(survival!.message).toContain('only 37.5 % of batches at a true rate of 0.5');
  });

  it.each<[string, ConfigInput]>([
    ['coldStart', { curriculum: { successScope: 'seed', filter: 'strict', reward: 'bell' } }],
    ['noGradient', { curriculum: { rollouts: 1 } }],
    ['zeroGradient', { curriculum: { rollouts: 2 } }],
    ['bandOutside', { curriculum: { alpha: 0.9, kMin: 0.2 } }],
    ['learningRate', { agent: { learningRate: 1e-6 } }],
    ['learningRate', { environment: { learningRate: 5e-7 } }],
    ['constantWeights', { curriculum: { lambda: 0, filter: 'strict' } }],
    ['misranking', { curriculum: { rollouts: 2, successScope: 'task' } }],
  ])('%s for %j', (code, overrides) => {
    expect(codes(overrides)).toContain(code);
  });

  it('about the environment are kept from runs that do not train it', () => {
    expect(codes({ ...FOUR, variant: 'genenv-random' })).toEqual(['noGradient']);
  });

  it("tell that the paper's learning rates do not suit small players, unless they are the user's own", () => {
    expect(codes({}, 'paper')).toContain('learningRate');
    expect(codes({ engine: 'scripted' }, 'paper')).toContain('learningRate');
    expect(codes({ engine: { kind: 'local', model: 'my-7b' } }, 'paper')).not.toContain('learningRate');
    expect(codes({ engine: { kind: 'replay', recording: 'x' } }, 'paper')).not.toContain('learningRate');
  });

  it('have a code and a sentence that says what to do', () => {
    for (const { code, message } of doctor({ ...FOUR, agent: { learningRate: 1e-6 } }).warnings) {
      expect(code).toMatch(/^[a-zA-Z]+$/);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(message).not.toMatch(/undefined|NaN/);
    }
  });
});
