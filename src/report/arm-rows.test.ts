import { describe, expect, it } from 'vitest';
import { armRows, lateBandShare, unequalBudgets } from './arm-rows.ts';
import type { Arm } from './comparison.ts';
import { sketchArm } from './fixtures.ts';

const band = { alpha: 0.5, kMin: 0.1 };
const rowsOf = (...arms: Arm[]) => armRows({ arms, band });

describe('the rows of arms', () => {
  it('hold means over seeds, and the difference to the first', () => {
    const [a, b] = rowsOf(
      sketchArm('a', { test: 0.2, generated: [0.4, 0.5] }, { test: 0.4, generated: [0.4, 0.6] }),
      sketchArm('b', { test: 0.1 }, { test: 0.3 }),
    );
    expect(a).toMatchObject({
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
      agentTokens: 200,
      environmentTokens: 40,
      minutes: 2,
    });
    expect(a!.test!.mean).toBeCloseTo(0.3);
    expect(b).toMatchObject({ generatedSuccess: null, lateBandShare: null });
    expect(b!.difference!.mean).toBeCloseTo(-0.1);
  });

  it('tell arms apart by validation where some run was not tested, and are empty for an arm that failed', () => {
    const [, b, c] = rowsOf(
      sketchArm('a', { validation: [0.1, 0.2], test: null }),
      sketchArm('b', { validation: [0.1, 0.5] }),
      sketchArm('c'),
    );
    expect(b!.difference!.mean).toBeCloseTo(0.3);
    expect(c).toMatchObject({ seeds: 0, validation: null, test: null, difference: null, tokens: null, minutes: null });
  });

  it('show which arms did not spend what the first one did', () => {
    const rows = rowsOf(
      sketchArm('a', { rolloutsPerEpoch: 100 }),
      sketchArm('b', { rolloutsPerEpoch: 50 }),
      sketchArm('c', { rolloutsPerEpoch: 98 }),
    );
    expect(unequalBudgets(rows)).toEqual([{ arm: 'b', ratio: 0.5 }]);
    expect(unequalBudgets([])).toEqual([]);
  });
});

describe('the share of epochs in the band', () => {
  const run = (generated: number[]) => sketchArm('a', { generated }).runs[0]!;

  it('begins to count after one third of the run', () => {
    expect(lateBandShare(run([0.1, 0.1, 0.5, 0.5, 0.9, 0.6]), band)).toBe(3 / 4);
  });

  it('is unknown where nothing was generated', () => {
    expect(lateBandShare(run([]), band)).toBeUndefined();
  });
});
