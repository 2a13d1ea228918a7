/** Eq. 2 by hand: p̂ = k/n, over three scopes, and a task's own rate shrunk towards its seed's. */
import { describe, expect, it } from 'vitest';
import { creditEvidence, type SuccessScope, successRate } from '../../src/core/success-rate.ts';

/** Seed s1 has a trivial and an impossible variation, s2 two in between. Four attempts each. */
const outcomes = [
  { taskId: 'a', seedId: 's1', successes: 4, attempts: 4 },
  { taskId: 'b', seedId: 's1', successes: 0, attempts: 4 },
  { taskId: 'c', seedId: 's2', successes: 1, attempts: 4 },
  { taskId: 'd', seedId: 's2', successes: 2, attempts: 4 },
];

const rates = (scope: SuccessScope, shrinkage?: number) =>
  [...creditEvidence(outcomes, scope, shrinkage).values()].map(successRate);

describe('Eq. 2', () => {
  it('over a seed, the paper: s1 (4+0)/8, s2 (1+2)/8; half trivial and half impossible looks perfect', () => {
    expect(rates('seed')).toEqual([0.5, 0.5, 0.375, 0.375]);
  });

  it('over a task: 4/4, 0/4, 1/4, 2/4', () => {
    expect(rates('task')).toEqual([1, 0, 0.25, 0.5]);
  });

  it('over the epoch: (4+0+1+2)/16', () => {
    expect(rates('epoch')).toEqual([0.4375, 0.4375, 0.4375, 0.4375]);
  });

  // Four borrowed attempts at the seed's rate: s1 lends 4·0.5 = 2 successes, s2 lends 4·0.375 = 1.5.
  // a (4+2)/8, b (0+2)/8, c (1+1.5)/8, d (2+1.5)/8.
  it('over a task with 4 pseudo-attempts at its seed’s rate', () => {
    expect(rates('task', 4)).toEqual([0.75, 0.25, 0.3125, 0.4375]);
    expect(creditEvidence(outcomes, 'task', 4).get('c')).toEqual({ successes: 2.5, attempts: 8 });
  });

  it('has no rate without an attempt: 0/0 is not a failure', () => {
    expect(successRate({ successes: 0, attempts: 0 })).toBeUndefined();
    expect(successRate({ successes: 0, attempts: 1 })).toBe(0);
  });
});
