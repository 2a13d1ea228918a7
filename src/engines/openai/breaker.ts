/**
 * The circuit breaker: after a series of failures without a word from the model server, requests wait instead of knocking.
 * One of them goes to see after a while; if it comes back the others follow, if not all wait twice as long.
 */
import type { Clock } from './clock.ts';

export interface Breaker {
  /** Undefined where a request may go now; else what to wait for before asking again. */
  admit(): Promise<void> | undefined;
  /** The server has spoken, whatever it said. */
  alive(): void;
  /** Nobody answered. True where the series has become an outage: such an attempt is not the request's fault. */
  failed(reason: string): boolean;
  /** A request that was let through has ended without telling anything. */
  abandoned(): void;
  /** How long the server has been silent, and what was last seen of it. */
  outage(): { ms: number; reason: string } | undefined;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  threshold: number;
  firstCooldownMs: number;
  longestCooldownMs: number;
}

export const BREAKER: BreakerOptions = { threshold: 5, firstCooldownMs: 1000, longestCooldownMs: 30_000 };

/** `closing` ends its timers. */
export function circuitBreaker(clock: Clock, options: BreakerOptions = BREAKER, closing?: AbortSignal): Breaker {
  let failures = 0;
  let downSince = 0;
  let lastReason = '';
  let cooldownMs = options.firstCooldownMs;
  let state: 'closed' | 'open' | 'halfOpen' = 'closed';
  let changed = deferred();
  const change = (next: typeof state) => {
    state = next;
    changed.resolve();
    changed = deferred();
  };
  const open = () => {
    change('open');
    const wait = cooldownMs;
    cooldownMs = Math.min(options.longestCooldownMs, 2 * cooldownMs);
    clock.sleep(wait, closing).then(
      () => {
        if (state === 'open') change('halfOpen');
      },
      () => {},
    );
  };
  let scout = false;
  return {
    admit() {
      if (state === 'closed') return undefined;
      if (state === 'halfOpen' && !scout) {
        scout = true;
        return undefined;
      }
      return changed.promise;
    },
    alive() {
      failures = 0;
      scout = false;
      cooldownMs = options.firstCooldownMs;
      if (state !== 'closed') change('closed');
    },
    failed(reason) {
      if (failures === 0) downSince = clock.now();
      failures++;
      lastReason = reason;
      if (state === 'halfOpen') {
        scout = false;
        open();
        return true;
      }
      if (state === 'closed' && failures >= options.threshold) open();
      return state !== 'closed';
    },
    abandoned() {
      if (state !== 'halfOpen' || !scout) return;
      scout = false;
      change('halfOpen');
    },
    outage: () => (failures === 0 ? undefined : { ms: clock.now() - downSince, reason: lastReason }),
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
