/** A sampler with at most `limit` requests in flight: a task of many turns fans out beyond the task it belongs to. */
import type { Sampler } from '../core/engine.ts';

export function limited(sampler: Sampler, limit: number): Sampler {
  let inFlight = 0;
  const waiting: (() => void)[] = [];
  return {
    version: sampler.version,
    async sample(request) {
      // A place is handed over, not given back, where somebody waits: nobody can slip in between.
      if (inFlight >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else inFlight++;
      try {
        return await sampler.sample(request);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inFlight--;
      }
    },
  };
}
