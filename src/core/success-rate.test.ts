import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditEvidence, isUseful, successRate } from './success-rate.ts';

const outcomes = fc
  .array(
    fc.record({
      seedId: fc.constantFrom('s', 'u', null),
      attempts: fc.nat(8),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  )
  .map((rows) =>
    rows.map(({ seedId, attempts, share }, i) => ({
      taskId: `t${i}`,
      seedId,
      attempts,
      successes: Math.round(share * attempts),
    })),
  );
const shrinkage = fc.double({ min: 0, max: 16, noNaN: true });
const scope = fc.constantFrom('seed', 'task', 'epoch');

describe('creditEvidence', () => {
  it('credits every task, with rates in [0, 1]', () => {
    fc.assert(
      fc.property(outcomes, scope, shrinkage, (all, scope, pseudo) => {
        const credit = creditEvidence(all, scope, pseudo);
        expect([...credit.keys()]).toEqual(all.map((o) => o.taskId));
        for (const e of credit.values()) {
          const rate = successRate(e);
          if (rate !== undefined) expect(rate >= 0 && rate <= 1 + 1e-12).toBe(true);
        }
      }),
    );
  });

  it('counts every attempt once over the epoch', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const total = all.reduce(
          (sum, o) => ({ successes: sum.successes + o.successes, attempts: sum.attempts + o.attempts }),
          { successes: 0, attempts: 0 },
        );
        for (const e of creditEvidence(all, 'epoch').values()) expect(e).toEqual(total);
      }),
    );
  });

  it('keeps a task without a seed to itself in seed scope', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const credit = creditEvidence(all, 'seed');
        for (const o of all) {
          if (o.seedId === null) expect(credit.get(o.taskId)).toEqual({ successes: o.successes, attempts: o.attempts });
        }
      }),
    );
  });

  it('shrinks a task’s rate to between its own and its seed’s, further for more pseudo-attempts', () => {
    fc.assert(
      fc.property(outcomes, shrinkage, (all, pseudo) => {
        const [own, seed, some, more] = [
          creditEvidence(all, 'task'),
          creditEvidence(all, 'seed'),
          creditEvidence(all, 'task', pseudo),
          creditEvidence(all, 'task', pseudo + 1),
        ].map((credit) => all.map((o) => successRate(credit.get(o.taskId)!)));
        for (const [i, o] of all.entries()) {
          if (o.attempts === 0) {
            expect(some![i]).toBeUndefined();
            continue;
          }
          const distance = (rate: number | undefined) => Math.abs(rate! - seed![i]!);
          expect(distance(some![i])).toBeLessThanOrEqual(distance(own![i]) + 1e-12);
          expect(distance(more![i])).toBeLessThanOrEqual(distance(some![i]) + 1e-12);
          expect((some![i]! - seed![i]!) * (own![i]! - seed![i]!)).toBeGreaterThanOrEqual(-1e-12);
        }
      }),
    );
  });

  it('lends nothing to a task without an attempt of its own', () => {
    const credit = creditEvidence(
      [
        { taskId: 'a', seedId: 's', successes: 3, attempts: 4 },
        { taskId: 'b', seedId: 's', successes: 0, attempts: 0 },
      ],
      'task',
      4,
    );
    expect(credit.get('b')).toEqual({ successes: 0, attempts: 0 });
  });
});

it('calls a group useful when some but not all attempts succeed', () => {
  const useful = [0, 1, 3, 4].map((successes) => isUseful({ successes, attempts: 4 }));
  expect(useful).toEqual([false, true, true, false]);
  expect(isUseful({ successes: 0, attempts: 0 })).toBe(false);
});
