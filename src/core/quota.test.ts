import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crowding } from './quota.ts';

const outcomes = (...structures: string[]) => structures.map((structure, i) => ({ taskId: `t${i}`, structure }));
const shares = (quota: number, ...structures: string[]) => [...crowding(outcomes(...structures), quota).values()];

describe('what a task keeps of its reward', () => {
  it('is all of it while its kind stays within the quota', () => {
    expect(shares(0.5, 'a', 'a', 'b', 'c')).toEqual([1, 1, 1, 1]);
  });

  it('is quota over share beyond that, for this kind alone', () => {
    // Three of four are `a`: 0.75 of the epoch where 0.25 is the quota.
    const [a, , , b] = shares(0.25, 'a', 'a', 'a', 'b');
    expect(a).toBeCloseTo(1 / 3, 12);
    expect(b).toBe(1);
  });

  it('is the geometric mean over the facets of a structure, each counted once a task', () => {
    // `list` is in all four tasks, `one` and `two` in half of them.
    const [one] = shares(0.25, 'one list', 'one list list', 'two list', 'two list');
    expect(one).toBeCloseTo(Math.sqrt(0.5 * 0.25), 12);
  });

  it('is all of it without a quota, and for a single task', () => {
    expect(shares(1, 'a', 'a', 'a')).toEqual([1, 1, 1]);
    expect(shares(1, 'a b c')).toEqual([1]);
    expect(crowding([], 0.25).size).toBe(0);
  });

  it('is in (0, 1], the same for the same structure, and falls as a kind grows', () => {
    const structure = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
    const all = fc.array(
      structure.map((facets) => facets.join(' ')),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(all, fc.double({ min: 0.01, max: 1, noNaN: true }), (structures, quota) => {
        const kept = shares(quota, ...structures);
        const first = kept[structures.indexOf(structures[0]!)]!;
        for (const [i, share] of kept.entries()) {
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(1);
          if (structures[i] === structures[0]) expect(share).toBe(first);
        }
        // One more of the same crowds it no less.
        expect(shares(quota, ...structures, structures[0]!)[0]).toBeLessThanOrEqual(first + 1e-12);
      }),
    );
  });
});
