import { describe, expect, it } from 'vitest';
import { circuitBreaker } from './breaker.ts';

const OPTIONS = { threshold: 3, firstCooldownMs: 100, longestCooldownMs: 400 };

/** Time that moves when told to. */
function stillClock() {
  let now = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    random: () => 0,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
    async pass(ms: number) {
      now += ms;
      const due = sleepers.filter(({ at }) => at <= now);
      sleepers = sleepers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const opened = () => {
  const clock = stillClock();
  const breaker = circuitBreaker(clock, OPTIONS);
  for (let i = 0; i < OPTIONS.threshold; i++) breaker.failed('ECONNREFUSED');
  return { clock, breaker };
};

describe('the circuit breaker', () => {
  it('lets everything through until enough failures come in a row', () => {
    const breaker = circuitBreaker(stillClock(), OPTIONS);
    expect([1, 2].map(() => breaker.failed('x'))).toEqual([false, false]);
    breaker.alive();
    expect([1, 2, 3].map(() => breaker.failed('x'))).toEqual([false, false, true]);
    expect(breaker.admit()).toBeInstanceOf(Promise);
  });

  it('sends one request to see after a while, and the others when that one comes back', async () => {
    const { clock, breaker } = opened();
    const waiting = breaker.admit();
    await clock.pass(100);
    await waiting;
    expect(breaker.admit()).toBeUndefined();
    const second = breaker.admit();
    expect(second).toBeInstanceOf(Promise);
    breaker.alive();
    await second;
    expect([breaker.admit(), breaker.admit()]).toEqual([undefined, undefined]);
    expect(breaker.outage()).toBeUndefined();
  });

  it('waits twice as long each time, up to a limit, and knows for how long it has been', async () => {
    const { clock, breaker } = opened();
    for (const cooldown of [100, 200, 400, 400]) {
      await clock.pass(cooldown - 1);
      expect(breaker.admit()).toBeInstanceOf(Promise);
      await clock.pass(1);
      expect(breaker.admit()).toBeUndefined();
      expect(breaker.failed('still gone')).toBe(true);
    }
    expect(breaker.outage()).toEqual({ ms: 1100, reason: 'still gone' });
  });

  it('sends another one where the first was called back', async () => {
    const { clock, breaker } = opened();
    await clock.pass(100);
    expect(breaker.admit()).toBeUndefined();
    const next = breaker.admit();
    breaker.abandoned();
    await next;
    expect(breaker.admit()).toBeUndefined();
  });
});
