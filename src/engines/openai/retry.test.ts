import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, retryAfterMs } from './retry.ts';

describe('the wait before the next attempt', () => {
  it('is anywhere up to a bound that doubles', () => {
    expect([1, 2, 3].map((failures) => backoffMs(failures, 1))).toEqual([500, 1000, 2000]);
    expect(backoffMs(3, 0)).toBe(0);
    expect(backoffMs(1000, 1)).toBe(60_000);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['3', 3000],
    ['0.5', 500],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', 0],
    ['', undefined],
    ['soon', undefined],
    ['1e99', 86_400_000],
  ])('%o is %o ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it('is a wait of at most a day or none, whatever it says', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = retryAfterMs(header, now);
        if (ms !== undefined) expect(ms >= 0 && ms <= 86_400_000).toBe(true);
      }),
    );
  });
});
