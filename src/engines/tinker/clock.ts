/** Time and chance as arguments, so that tests decide both. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
