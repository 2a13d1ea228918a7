import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arm, ArmRun, Comparison } from './comparison.ts';
import {
  armRows,
  bestPoint,
  costToReach,
  efficiency,
  interval,
  judgedOn,
  lateBandShare,
  measures,
  pairedDifference,
  signFlipP,
  tQuantile,
  unequalBudgets,
  validationCurve,
} from './statistics.ts';

interface Sketch {
  seed?: number;
  /** Validation success by epoch, from epoch 0. */
  curve?: number[];
  test?: number | null;
  generated?: number[];
  rollouts?: number;
}

function run({ seed = 1, curve = [0.1, 0.2], test = 0.2, generated = [], rollouts = 10 }: Sketch = {}): ArmRun {
  const epochs = Array.from({ length: Math.max(curve.length, generated.length + 1) }, (_, epoch) => ({
    epoch,
    metrics: {
      ...(curve[epoch] === undefined ? {} : { 'val/successRate': curve[epoch] }),
      ...(generated[epoch - 1] === undefined ? {} : { 'env/successRate': generated[epoch - 1]! }),
      ...(epoch > 0 ? { 'agent/responseTokens': 10 * epoch } : {}),
    },
    ledger: {
      tasks: 4 * epoch,
      rollouts: rollouts * epoch,
      invalidRollouts: 0,
      agentTokens: 100 * epoch,
      environmentTokens: 20 * epoch,
      generations: epoch,
      rejectedGenerations: 0,
      validationRollouts: 0,
    },
    stepRewards: [],
  }));
  const split = (successRate: number) => ({ tasks: 4, successRate, strata: [] });
  const last = curve.at(-1);
  return {
    seed,
    run: `arm-s${seed}`,
    seconds: 120,
    epochs,
    validation: last === undefined ? null : split(last),
    test: test === null ? null : split(test),
  };
}

const arm = (name: string, ...runs: ArmRun[]): Arm => ({ name, description: '', settings: {}, runs });

const comparison = (...arms: Arm[]): Comparison => ({
  title: '',
  command: '',
  version: '',
  createdAt: '',
  machine: { cpu: '', cores: 1, node: '' },
  benchmark: 'toy',
  engine: 'scripted',
  band: { alpha: 0.5, kMin: 0.1 },
  seeds: [1, 2],
  arms,
});

describe('an interval', () => {
  it.each([
    [1, 12.7062],
    [2, 4.30265],
    [4, 2.77645],
    [9, 2.26216],
    [30, 2.04227],
    [1000, 1.96234],
  ])('takes the quantile of the t-distribution with %d degrees of freedom from the tables', (df, t) => {
    expect(tQuantile(df)).toBeCloseTo(t, 4);
  });

  it('of known values is known', () => {
    // Mean 3, standard deviation √2.5, so 2.77645 · √(2.5/5).
    const found = interval([1, 2, 3, 4, 5])!;
    expect(found).toMatchObject({ n: 5, mean: 3 });
    expect(found.halfWidth).toBeCloseTo(1.96324, 4);
  });

  it('of one value has no width, and of none there is none', () => {
    expect(interval([0.4])).toEqual({ n: 1, mean: 0.4, halfWidth: null });
    expect(interval([])).toBeNull();
  });
});

describe('the sign-flip test', () => {
  it.each([
    [[1, 1, 1, 1, 1], 2 / 32],
    [[-1, -1, -1, -1, -1], 2 / 32],
    [[0, 0, 0], 1],
    [[1], 1],
    // |±1 ±2 ±3| ≥ 4: +++, −++ and their mirror images.
    [[-1, 2, 3], 4 / 8],
    [[0.1, 0.2, 0.3], 2 / 8],
  ])('gives %j the p-value %d', (differences, p) => {
    expect(signFlipP(differences)).toBeCloseTo(p, 12);
  });

  it('does not look at the direction or the scale, and is at least 2/2ⁿ', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 10 }), (values) => {
        const p = signFlipP(values)!;
        expect(p).toBeGreaterThanOrEqual(Math.min(1, 2 / 2 ** values.length));
        expect(signFlipP(values.map((value) => -value / 7))).toBe(p);
      }),
    );
  });

  it('says nothing where nothing was compared, or more than can be gone through', () => {
    expect(signFlipP([])).toBeNull();
    expect(signFlipP(Array.from({ length: 21 }, () => 1))).toBeNull();
  });
});

describe('a paired difference', () => {
  const first = arm('a', run({ seed: 1, test: 0.2 }), run({ seed: 2, test: 0.4 }), run({ seed: 3, test: 0.6 }));

  it('is taken seed by seed, over the seeds both arms have', () => {
    const other = arm('b', run({ seed: 3, test: 0.7 }), run({ seed: 1, test: 0.3 }), run({ seed: 9, test: 0.9 }));
    const found = pairedDifference(other, first, measures.test)!;
    expect(found.n).toBe(2);
    expect(found.mean).toBeCloseTo(0.1);
    expect(found.halfWidth).toBeCloseTo(0);
    expect(found.relative).toBeCloseTo(0.1 / 0.4);
    expect(found.p).toBe(0.5);
  });

  it('is nothing without a common seed, and has no share of zero', () => {
    expect(pairedDifference(arm('b', run({ seed: 9 })), first, measures.test)).toBeNull();
    const zero = arm('z', run({ test: 0 }));
    expect(pairedDifference(arm('b', run({ test: 0.1 })), zero, measures.test)!.relative).toBeNull();
  });
});

describe('the share of epochs in the band', () => {
  const band = { alpha: 0.5, kMin: 0.1 };

  it('begins to count after one third of the run', () => {
    expect(lateBandShare(run({ generated: [0.1, 0.1, 0.5, 0.5, 0.9, 0.6] }), band)).toBe(3 / 4);
  });

  it('is unknown where nothing was generated', () => {
    expect(lateBandShare(run(), band)).toBeNull();
  });
});

describe('data efficiency', () => {
  const fast = arm('fast', run({ curve: [0.1, 0.3, 0.5, 0.4] }), run({ seed: 2, curve: [0.1, 0.5, 0.5, 0.4] }));
  const slow = arm('slow', run({ curve: [0.1, 0.2, 0.3, 0.3] }));

  it('is read off mean curves', () => {
    expect(validationCurve(fast).map(({ score }) => score)).toEqual([0.1, 0.4, 0.5, 0.4]);
    expect(bestPoint(fast)).toEqual({ epoch: 2, score: 0.5, tasks: 8, tokens: 240 });
    expect(bestPoint(slow)).toMatchObject({ epoch: 2, score: 0.3 });
  });

  it('is what an arm had spent when it was as good as the other ever was; null if it never was', () => {
    expect(costToReach(fast, 0.3)).toEqual({ epoch: 1, score: 0.4, tasks: 4, tokens: 120 });
    expect(costToReach(slow, 0.4)).toBeNull();
    expect(efficiency(comparison(slow, fast))).toEqual([{ arm: 'fast', best: bestPoint(fast), firstArm: null }]);
    expect(efficiency(comparison(fast, slow))[0]!.firstArm).toMatchObject({ epoch: 1 });
  });

  it('skips epochs in which a seed was not evaluated', () => {
    const gap = arm('gap', run({ curve: [0.1, 0.2, 0.3] }), run({ seed: 2, curve: [0.1] }));
    expect(validationCurve(gap).map(({ epoch }) => epoch)).toEqual([0]);
  });
});

describe('the closing table', () => {
  it('has a row per arm, with differences to the first', () => {
    const rows = armRows(
      comparison(
        arm(
          'a',
          run({ seed: 1, test: 0.2, generated: [0.4, 0.5] }),
          run({ seed: 2, test: 0.4, generated: [0.4, 0.6] }),
        ),
        arm('b', run({ seed: 1, test: 0.1 }), run({ seed: 2, test: 0.3 })),
      ),
    );
    expect(rows[0]).toMatchObject({
      arm: 'a',
      seeds: 2,
      difference: null,
      generatedSuccess: 0.55,
      lateBandShare: 1,
      usefulShare: null,
      responseTokens: { first: 10, last: 20 },
      tasks: 8,
      rollouts: 20,
      tokens: 240,
      minutes: 2,
    });
    expect(rows[0]!.test!.mean).toBeCloseTo(0.3);
    expect(rows[1]).toMatchObject({ generatedSuccess: null, lateBandShare: null });
    expect(rows[1]!.difference!.mean).toBeCloseTo(-0.1);
  });

  it('tells arms apart by validation where some run was not tested, and has empty cells for an arm that failed', () => {
    const some = comparison(arm('a', run({ test: null })), arm('b', run({ curve: [0.1, 0.5] })), arm('c'));
    expect(judgedOn(some)).toBe('validation');
    const rows = armRows(some);
    expect(rows[1]!.difference!.mean).toBeCloseTo(0.3);
    expect(rows[2]).toMatchObject({ seeds: 0, validation: null, test: null, difference: null, tokens: null });
  });

  it('knows which arms did not spend what the first one did', () => {
    const rows = armRows(
      comparison(arm('a', run({ rollouts: 100 })), arm('b', run({ rollouts: 50 })), arm('c', run({ rollouts: 98 }))),
    );
    expect(unequalBudgets(rows)).toEqual([{ arm: 'b', ratio: 0.5 }]);
    expect(unequalBudgets([])).toEqual([]);
  });
});
