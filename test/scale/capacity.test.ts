/** The simulation behind docs/scale.md, against what can be worked out by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a plain script, so that the benchmark runs it without a build step.
import { FULL, orchestratorsFor, planRun, simulateRollouts } from '../../bench/scale/capacity.mjs';

const tasks = (count: number, lengths: number[]) => Array.from({ length: count }, () => lengths);
const calm = {
  concurrency: 4,
  stepTasks: 16,
  cpuSeconds: 0,
  firstTokenSeconds: 0,
  tokensPerSecond: 1e9,
  streamTokensPerSecond: 50,
};

describe('simulated rollouts', () => {
  it('take as long as one stream where nothing is shared', () => {
    const { seconds, tokens } = simulateRollouts(tasks(1, [100, 50]), { ...calm, firstTokenSeconds: 0.5 });
    expect(seconds).toBeCloseTo(0.5 + 100 / 50, 9);
    expect(tokens).toBe(150);
  });

  it('come in waves of as many tasks as are under way at a time', () => {
    expect(simulateRollouts(tasks(8, [100]), calm).seconds).toBeCloseTo(2 * 2, 9);
    expect(simulateRollouts(tasks(9, [100]), calm).seconds).toBeCloseTo(3 * 2, 9);
  });

  it('share what a cluster can write', () => {
    const { seconds, clusterShare } = simulateRollouts(tasks(4, [100, 100]), { ...calm, tokensPerSecond: 100 });
    expect(seconds).toBeCloseTo(800 / 100, 9);
    expect(clusterShare).toBeCloseTo(1, 9);
  });

  it('leave a stream faster when others have ended', () => {
    // Two at 50 a second until the short one ends after 1 s; then the rest of the long one alone, at most 80 a second.
    const { seconds } = simulateRollouts(tasks(1, [50, 130]), {
      ...calm,
      tokensPerSecond: 100,
      streamTokensPerSecond: 80,
    });
    expect(seconds).toBeCloseTo(1 + 80 / 80, 9);
  });

  it('go no faster than one process handles answers', () => {
    const { seconds, orchestratorShare } = simulateRollouts(tasks(100, [1, 1]), {
      ...calm,
      concurrency: 100,
      stepTasks: 100,
      cpuSeconds: 0.01,
    });
    expect(seconds).toBeGreaterThanOrEqual(200 * 0.01);
    expect(seconds).toBeLessThan(200 * 0.01 + 0.1);
    expect(orchestratorShare).toBeGreaterThan(0.95);
  });

  it('wait for the last of a step before the next', () => {
    const mixed = [[1], [1], [1], [100]];
    const whole = simulateRollouts([...mixed, ...mixed], { ...calm, stepTasks: 8 });
    const cut = simulateRollouts([...mixed, ...mixed], { ...calm, stepTasks: 4 });
    expect(cut.seconds).toBeGreaterThan(whole.seconds);
  });

  it('lose no token, and keep within what cluster and processor can do', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 });
    const speeds = fc.record({
      concurrency: fc.integer({ min: 1, max: 8 }),
      stepTasks: fc.integer({ min: 1, max: 12 }),
      cpuSeconds: fc.double({ min: 0, max: 0.5, noNaN: true }),
      firstTokenSeconds: fc.double({ min: 0, max: 1, noNaN: true }),
      tokensPerSecond: fc.integer({ min: 10, max: 5000 }),
      streamTokensPerSecond: fc.integer({ min: 5, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(lengths, { minLength: 1, maxLength: 20 }), speeds, (drawn, given) => {
        const result = simulateRollouts(drawn, given);
        const flat = drawn.flat();
        expect(result.tokens).toBe(flat.reduce((sum, length) => sum + length, 0));
        expect(result.rollouts).toBe(flat.length);
        const least = Math.max(
          result.tokens / given.tokensPerSecond,
          Math.max(...flat) / given.streamTokensPerSecond,
          flat.length * given.cpuSeconds,
        );
        expect(result.seconds).toBeGreaterThanOrEqual(least * (1 - 1e-9));
        expect(result.clusterShare).toBeLessThanOrEqual(1 + 1e-9);
        expect(result.orchestratorShare).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});

describe('the plan of a run', () => {
  const run = {
    epochs: 10,
    rolloutsPerEpoch: 800,
    generationsPerEpoch: 100,
    promptTokens: 500,
    usefulShare: 0.5,
    passes: 1,
  };
  const cost = { rollout: 0.001, generation: 0.001, trainedToken: 1e-6 };
  const cluster = { gpus: 1, writtenPerGpu: 2000, trainedPerGpu: 10_000, streamTokensPerSecond: 50 };
  const how = { lengths: () => 200, concurrency: 64 };

  it('is shorter on more cards, and never by more than they are', () => {
    const one = planRun(run, cost, cluster, how);
    const eight = planRun(run, cost, { ...cluster, gpus: 8 }, how);
    expect(eight.hours).toBeLessThan(one.hours);
    expect(eight.hours).toBeGreaterThan(one.hours / 8);
    expect(eight.orchestratorShare).toBeGreaterThan(one.orchestratorShare);
  });

  it('asks for as many processes as keep the cards writing', () => {
    // 64 × 2,000 tokens a second are 640 rollouts of 200, and a process is full at 700 of a millisecond each.
    expect(FULL).toBe(0.7);
    expect(orchestratorsFor({ ...cluster, gpus: 64 }, cost, 200)).toBe(1);
    expect(orchestratorsFor({ ...cluster, gpus: 80 }, cost, 200)).toBe(2);
    expect(orchestratorsFor({ ...cluster, gpus: 640 }, cost, 200)).toBe(10);
  });
});
