import { describe, expect, it } from 'vitest';
import { milestones } from './efficiency.ts';
import { exampleComparison } from './fixtures.ts';
import { bestArm, calibration, pairedDifference, scores } from './results.ts';

const { arms, band } = exampleComparison({ arms: 3, seeds: 4, epochs: 8 });
const [full, random, fixed] = [arms[0]!, arms[1]!, arms[2]!];

describe('results', () => {
  it('name the arm with the highest mean validation', () => {
    expect(bestArm(arms)!.arm.name).toBe('genenv');
    expect(bestArm([])).toBeNull();
  });

  it('pair seeds, whatever their order and whoever lacks some', () => {
    const shuffled = { ...random, runs: random.runs.toReversed().slice(0, 3) };
    const difference = pairedDifference(shuffled, full, 'test')!;
    const [mine, theirs] = [scores(random, 'test'), scores(full, 'test')];
    expect(difference.n).toBe(3);
    expect(difference.values).toEqual([3, 2, 1].map((i) => mine[i]! - theirs[i]!));
    expect(pairedDifference({ ...random, runs: [] }, full, 'test')).toBeNull();
  });

  it('fall back on the last validated epoch, but never for the test', () => {
    const runs = fixed.runs.map((run) => ({ ...run, validation: null, test: null }));
    expect(scores({ ...fixed, runs }, 'validation')).toEqual(
      runs.map((r) => r.epochs.at(-1)!.metrics['val/successRate']),
    );
    expect(scores({ ...fixed, runs }, 'test')).toEqual([]);
  });

  it('count the epochs inside the band', () => {
    const found = calibration(full, band)!;
    const rates = full.runs.flatMap((run) => run.epochs.flatMap((p) => p.metrics['env/successRate'] ?? []));
    expect(found.epochs).toBe(32);
    expect(found.inside).toBe(rates.filter((rate) => rate >= 0.4 && rate <= 0.6).length);
  });
});

describe('data efficiency', () => {
  it('is what was spent when the mean first got as far as the best of another arm', () => {
    const [own, , staticBest] = milestones(arms);
    expect(own!.costs[1]).toBeNull();
    expect(own!.costs[0]).toMatchObject({ tasks: 96 * own!.costs[0]!.epoch });
    expect(staticBest!.costs[0]!.epoch).toBeLessThan(staticBest!.costs[2]!.epoch);
  });

  it('has no milestone of an arm that was never validated', () => {
    expect(milestones([{ ...full, runs: [] }])).toEqual([]);
  });
});
