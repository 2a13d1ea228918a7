import { describe, expect, it } from 'vitest';
import type { Arm } from './comparison.ts';
import { exampleComparison } from './fixtures.ts';
import { bestArm, calibration, judgedOn, pairedDifference, scores } from './results.ts';

const { arms, band } = exampleComparison({ arms: 3, seeds: 4, epochs: 8 });
const [full, random, fixed] = [arms[0]!, arms[1]!, arms[2]!];

describe('arms are judged', () => {
  it('on the test where every run has it', () => {
    expect(judgedOn(arms)).toBe('test');
    expect(judgedOn([...arms, { ...full, runs: [] }])).toBe('test');
  });

  it('on validation where some run was not tested, and where there are no runs', () => {
    const [untested, ...others] = fixed.runs;
    expect(judgedOn([full, { ...fixed, runs: [{ ...untested!, test: null }, ...others] }])).toBe('validation');
    expect(judgedOn([{ ...full, runs: [] }])).toBe('validation');
  });

  it('by their mean: the highest is the best', () => {
    expect(bestArm(arms, 'test')!.arm.name).toBe('genenv');
    expect(bestArm([], 'test')).toBeNull();
  });

  it('by the last validated epoch where the end was not, but never so on the test', () => {
    const runs = fixed.runs.map((run) => ({ ...run, validation: null, test: null }));
    expect(scores({ ...fixed, runs }, 'validation')).toEqual(
      runs.map((r) => r.epochs.at(-1)!.metrics['val/successRate']),
    );
    expect(scores({ ...fixed, runs }, 'test')).toEqual([]);
  });
});

describe('a paired difference', () => {
  /** An arm with these test scores, by seed. */
  const scored = (bySeed: Record<number, number>): Arm => ({
    ...full,
    runs: Object.entries(bySeed).map(([seed, successRate]) => ({
      ...full.runs[0]!,
      seed: Number(seed),
      test: { tasks: 10, successRate, strata: [] },
    })),
  });
  const reference = scored({ 1: 0.2, 2: 0.4, 3: 0.6 });

  it('is taken seed by seed, whatever their order and whoever lacks some', () => {
    const shuffled = { ...random, runs: random.runs.toReversed().slice(0, 3) };
    const difference = pairedDifference(shuffled, full, 'test')!;
    const [mine, theirs] = [scores(random, 'test'), scores(full, 'test')];
    expect(difference.n).toBe(3);
    expect(difference.values).toEqual([3, 2, 1].map((i) => mine[i]! - theirs[i]!));
  });

  it('is also a share of what the reference has over the seeds they share', () => {
    const difference = pairedDifference(scored({ 3: 0.7, 1: 0.3, 9: 0.9 }), reference, 'test')!;
    expect(difference.n).toBe(2);
    expect(difference.mean).toBeCloseTo(0.1);
    expect(difference.halfWidth).toBeCloseTo(0);
    expect(difference.relative).toBeCloseTo(0.1 / 0.4);
    expect(difference.p).toBe(0.5);
  });

  it('is no share of zero, and has no p for a single pair', () => {
    const difference = pairedDifference(scored({ 1: 0.1 }), scored({ 1: 0 }), 'test')!;
    expect(difference).toMatchObject({ n: 1, mean: 0.1, halfWidth: null, relative: null, p: null });
  });

  it('is nothing without a common seed', () => {
    expect(pairedDifference(scored({ 9: 0.9 }), reference, 'test')).toBeNull();
    expect(pairedDifference({ ...random, runs: [] }, full, 'test')).toBeNull();
  });
});

describe('calibration', () => {
  it('counts the epochs inside the band', () => {
    const found = calibration(full, band)!;
    const rates = full.runs.flatMap((run) => run.epochs.flatMap((p) => p.metrics['env/successRate'] ?? []));
    expect(found.epochs).toBe(32);
    expect(found.inside).toBe(rates.filter((rate) => rate >= 0.4 && rate <= 0.6).length);
  });
});
