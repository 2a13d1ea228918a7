import { describe, expect, it } from 'vitest';
import type { Arm } from './comparison.ts';
import { catchUps, milestones } from './efficiency.ts';
import { sketchArm } from './fixtures.ts';

const fast = sketchArm('fast', { validation: [0.1, 0.3, 0.5, 0.4] }, { validation: [0.1, 0.5, 0.5, 0.4] });
const slow = sketchArm('slow', { validation: [0.1, 0.2, 0.3, 0.3] });
const none: Arm = sketchArm('none');

describe('data efficiency', () => {
  it('is what was spent when the mean first got as far as the best of each arm', () => {
    expect(milestones([fast, slow])).toEqual([
      { arm: 'fast', score: 0.5, costs: [{ epoch: 2, score: 0.5, tasks: 8, tokens: 240 }, null] },
      {
        arm: 'slow',
        score: 0.3,
        costs: [
          { epoch: 1, score: 0.4, tasks: 4, tokens: 120 },
          { epoch: 2, score: 0.3, tasks: 8, tokens: 240 },
        ],
      },
    ]);
  });

  it('has no milestone of an arm that was never validated', () => {
    expect(milestones([none])).toEqual([]);
    expect(milestones([none, slow])).toMatchObject([{ arm: 'slow', costs: [null, { epoch: 2 }] }]);
  });

  it('skips epochs in which a seed was not evaluated', () => {
    const gap = sketchArm('gap', { validation: [0.1, 0.2, 0.3] }, { validation: [0.1] });
    expect(milestones([gap])).toMatchObject([{ score: 0.1, costs: [{ epoch: 0 }] }]);
  });

  it('says for every other arm when the first one came up to its best, if it ever did', () => {
    expect(catchUps([fast, slow])).toMatchObject([{ arm: 'slow', best: { epoch: 2 }, firstArm: { epoch: 1 } }]);
    expect(catchUps([slow, fast, none])).toMatchObject([
      { arm: 'fast', best: { epoch: 2, score: 0.5 }, firstArm: null },
      { arm: 'none', best: null, firstArm: null },
    ]);
  });
});
