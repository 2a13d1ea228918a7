import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { adaptiveConcurrency } from './concurrency.ts';

const clockAt = (now: number) => ({ now: () => now, random: () => 0, sleep: async () => {} });

/** Good answers with the limit felt all the time. */
function answers(limit: ReturnType<typeof adaptiveConcurrency>, count: number, ms: number) {
  while (limit.inFlight < limit.limit) limit.acquire();
  for (let i = 0; i < count; i++) {
    limit.succeeded(ms, 1);
    while (limit.inFlight < limit.limit) limit.acquire();
  }
}

describe('the adaptive limit', () => {
  it('doubles with every round at first, up to the maximum', () => {
    const limit = adaptiveConcurrency(4, 100, clockAt(0));
    answers(limit, 4, 10);
    expect(limit.limit).toBe(8);
    answers(limit, 200, 10);
    expect(limit.limit).toBe(100);
  });

  it('does not grow while it is not felt', () => {
    const limit = adaptiveConcurrency(8, 100, clockAt(0));
    limit.acquire();
    for (let i = 0; i < 50; i++) limit.succeeded(10, 1);
    expect(limit.limit).toBe(8);
  });

  it('is halved once for all requests that were under way, then grows by one a round', () => {
    const limit = adaptiveConcurrency(64, 1000, clockAt(50));
    for (let i = 0; i < 10; i++) limit.overloaded(0);
    expect(limit.limit).toBe(32);
    limit.overloaded(60);
    expect(limit.limit).toBe(16);
    answers(limit, 17, 10);
    expect(limit.limit).toBe(17);
  });

  it('never falls below one', () => {
    const limit = adaptiveConcurrency(2, 10, clockAt(0));
    for (let i = 0; i < 10; i++) limit.overloaded(i);
    expect(limit.limit).toBe(1);
    expect(limit.acquire()).toBeUndefined();
  });

  it('shrinks when answers come much slower than they did, but not below where it started', () => {
    const limit = adaptiveConcurrency(8, 100, clockAt(0));
    answers(limit, 200, 10);
    expect(limit.limit).toBe(100);
    answers(limit, 150, 1000);
    expect(limit.limit).toBeLessThan(90);
    answers(limit, 400, 1000);
    expect(limit.limit).toBeGreaterThanOrEqual(8);
  });

  it('gives two processes about the same share of one server, whoever was there first', () => {
    const capacity = 200;
    let now = 0;
    const clock = { ...clockAt(0), now: () => now };
    const [first, second] = [adaptiveConcurrency(150, 1024, clock), adaptiveConcurrency(8, 1024, clock)];
    const held = { first: 0, second: 0, rounds: 0 };
    for (let round = 0; round < 2000; round++) {
      const sentAt = now++;
      // A round is what both have in flight; the server takes what it can, from each its share.
      const asked = [first, second].map((limit) => {
        while (limit.inFlight < limit.limit) limit.acquire();
        return limit.inFlight;
      });
      const taken = Math.min(1, capacity / (asked[0]! + asked[1]!));
      for (const [i, limit] of [first, second].entries()) {
        const served = Math.floor(asked[i]! * taken);
        for (let k = 0; k < served; k++) limit.succeeded(100, 10);
        if (served < asked[i]!) limit.overloaded(sentAt);
        for (let k = 0; k < asked[i]!; k++) limit.release();
      }
      if (round < 500) continue;
      held.first += asked[0]!;
      held.second += asked[1]!;
      held.rounds++;
    }
    expect(held.first / held.second).toBeGreaterThan(0.8);
    expect(held.first / held.second).toBeLessThan(1.25);
    expect((held.first + held.second) / held.rounds).toBeGreaterThan(0.6 * capacity);
  });

  it('admits in the order of arrival, less those who left', async () => {
    const limit = adaptiveConcurrency(1, 1, clockAt(0));
    limit.acquire();
    const order: string[] = [];
    const cancel = new AbortController();
    const wait = (name: string, signal?: AbortSignal) =>
      limit.acquire(signal)!.then(
        () => order.push(name),
        () => order.push(`${name} left`),
      );
    const all = [wait('a'), wait('b', cancel.signal), wait('c')];
    cancel.abort();
    for (let i = 0; i < 2; i++) {
      limit.release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(order).toEqual(['b left', 'a', 'c']);
    expect(limit.waiting).toBe(0);
  });

  it('never has more in flight than the limit, and loses nobody', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 60 }), async (moves) => {
        const limit = adaptiveConcurrency(3, 5, clockAt(0));
        let held = 0;
        let asked = 0;
        for (const move of moves) {
          if (move <= 1) {
            asked++;
            const wait = limit.acquire();
            if (!wait) held++;
            else void wait.then(() => held++);
          } else if (held > 0) {
            held--;
            asked--;
            if (move === 2) limit.succeeded(1, 1);
            limit.release();
          }
          await Promise.resolve();
          await Promise.resolve();
          expect(limit.inFlight).toBeLessThanOrEqual(5);
          expect(limit.inFlight + limit.waiting).toBe(asked);
        }
      }),
    );
  });

  it('keeps a long line short of work: a hundred thousand come and go in no time', async () => {
    const limit = adaptiveConcurrency(1, 1, clockAt(0));
    limit.acquire();
    const line = Array.from({ length: 100_000 }, () => limit.acquire());
    const spent = cpuStopwatch();
    for (let i = 0; i < line.length; i++) limit.release();
    await Promise.all(line);
    expect(spent()).toBeLessThan(2000);
  });
});
