/** Time and chance as arguments, so that tests decide both. */
import { onAbort } from './abort.ts';

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
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget?.();
        resolve();
      }, ms);
      const forget =
        signal &&
        onAbort(signal, (reason) => {
          clearTimeout(timer);
          reject(reason);
        });
    }),
};
