import { describe, expect, it } from 'vitest';
import type { Comparison } from './comparison.ts';
import { exampleComparison } from './fixtures.ts';
import { summary } from './words.ts';

/** Two arms with exactly these scores, by seed. */
function withScores(first: number[], second: number[], split: 'test' | 'validation' = 'test'): Comparison {
  const comparison = exampleComparison({ arms: 2, seeds: first.length, epochs: 2 });
  [first, second].forEach((scores, arm) => {
    scores.forEach((successRate, i) => {
      Object.assign(comparison.arms[arm]!.runs[i]!, { test: null, [split]: { tasks: 10, successRate, strata: [] } });
    });
  });
  return comparison;
}

describe('the summary', () => {
  it('says who is ahead where the interval leaves zero out', () => {
    const [first, second] = summary(withScores([0.6, 0.7, 0.65], [0.5, 0.59, 0.56]));
    expect(first).toBe(
      'genenv has the best test success: 0.650 after training (95 % interval 0.526 to 0.774, 3 seeds). ' +
        'Paired by seed, it is ahead of genenv-random by 0.100 [0.075, 0.125], with intervals that leave zero out.',
    );
    expect(second).toMatch(
      /^Success on generated tasks was inside the band 0\.40 to 0\.60 in this share of the epochs after the first third of training: \d+ % for genenv \(0\.\d+ at first, 0\.\d+ at last\) and /,
    );
  });

  it('speaks of validation where there is no test', () => {
    expect(summary(withScores([0.6, 0.7], [0.5, 0.5], 'validation'))[0]).toContain(
      'the best validation success: 0.650',
    );
  });

  it('names arms that had another budget', () => {
    const comparison = withScores([0.6], [0.5]);
    comparison.arms[1]!.runs[0]!.epochs.at(-1)!.ledger.rollouts /= 2;
    expect(summary(comparison)).toContain(
      'Budgets differ: genenv-random made 0.50 times as many rollouts as genenv, with fewer tasks to attempt.',
    );
    expect(summary(withScores([0.6], [0.5]))).toHaveLength(2);
  });

  it('claims nothing where it does not', () => {
    expect(summary(withScores([0.6, 0.5, 0.7], [0.5, 0.6, 0.65]))[0]).toContain('cannot be told from zero');
  });

  it('says that its lead over genenv-random (0.100) is no evidence, and that a tie is one', () => {
    expect(summary(withScores([0.6], [0.5]))[0]).toContain('its lead over genenv-random (0.100) is no evidence');
    expect(summary(withScores([0.6], [0.6]))[0]).toContain('genenv and genenv-random share the best test');
  });

  it('tells the course of one run alone', () => {
    const [course, band] = summary(exampleComparison({ arms: 1, seeds: 1 }));
    expect(course).toBe(
      'Validation success went from 0.161 to 0.645 in 12 epochs, the best of all epochs. Test success is 0.615 after training (one seed).',
    );
    expect(band).toContain('in 67 % of 12 epochs');
  });

  it('has something to say of nothing', () => {
    expect(summary({ ...exampleComparison(), arms: [] })).toEqual(['There are no runs to report.']);
  });
});
