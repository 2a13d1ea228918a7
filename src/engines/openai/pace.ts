/** When the next request may be sent: a steady number a second, and not before the server wants to hear from us again. */
import type { Clock } from './clock.ts';

export interface Pace {
  /** Undefined where it may be sent now; else a promise of that moment. */
  next(signal?: AbortSignal): Promise<void> | undefined;
  /** Nobody sends anything for this long. */
  pause(ms: number): void;
}

export function steadyPace(requestsPerSecond: number | undefined, clock: Clock): Pace {
  const interval = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  let free = Number.NEGATIVE_INFINITY;
  return {
    next(signal) {
      const now = clock.now();
      const at = Math.max(now, free);
      if (interval > 0) free = at + interval;
      return at > now ? clock.sleep(at - now, signal) : undefined;
    },
    pause(ms) {
      free = Math.max(free, clock.now() + ms);
    },
  };
}
