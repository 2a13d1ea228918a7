import { describe, expect, it } from 'vitest';
import type { ArmRun } from './comparison.ts';
import { meanCurve, metric, seedCurve, tasks } from './curves.ts';

const empty = { rollouts: 0, invalidRollouts: 0, agentTokens: 0, environmentTokens: 0, generations: 0 };

/** A run that measured `m` at these epochs, ten tasks an epoch times the seed. */
function run(seed: number, values: Record<number, number>): ArmRun {
  const epochs = Object.entries(values).map(([epoch, m]) => ({
    epoch: Number(epoch),
    metrics: { m },
    ledger: { ...empty, tasks: 10 * seed * Number(epoch), rejectedGenerations: 0, validationRollouts: 0 },
    verdicts: {},
    stepRewards: [],
  }));
  return { seed, run: `runs/${seed}`, seconds: 1, epochs, test: null, validation: null };
}

const places = (curve: readonly ({ x: number } | null)[]) => curve.map((point) => point?.x ?? null);

describe('the mean curve', () => {
  it('is the mean of both axes at each epoch, over the seeds that got there', () => {
    const curve = meanCurve(
      { runs: [run(1, { 0: 0.2, 1: 0.4 }), run(2, { 0: 0.4, 1: 0.6, 2: 0.9 })] },
      metric('m'),
      tasks,
    );
    expect(curve.map((point) => [point!.epoch, point!.x, point!.mean, point!.n])).toEqual([
      [0, 0, 0.30000000000000004, 2],
      [1, 15, 0.5, 2],
      [2, 40, 0.9, 1],
    ]);
  });

  it('has a gap where epochs are missing', () => {
    expect(places(meanCurve({ runs: [run(1, { 1: 0, 2: 0, 3: 0, 5: 0, 6: 0 })] }, metric('m')))).toEqual([
      1,
      2,
      3,
      null,
      5,
      6,
    ]);
  });

  it('has none where every fifth epoch is measured, and the last', () => {
    expect(places(seedCurve(run(1, { 0: 0, 5: 0, 10: 0, 12: 0 }), metric('m')))).toEqual([0, 5, 10, 12]);
  });

  it('is empty for what was not measured or is no number', () => {
    expect(meanCurve({ runs: [run(1, { 0: 1 })] }, metric('other'))).toEqual([]);
    expect(meanCurve({ runs: [run(1, { 0: Number.NaN })] }, metric('m'))).toEqual([]);
    expect(meanCurve({ runs: [] }, metric('m'))).toEqual([]);
  });
});
