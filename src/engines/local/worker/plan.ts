/** How a machine's threads are spent. */
import { availableParallelism } from 'node:os';

/** Above this many parameters a copy of the weights per worker costs more than it brings. */
const SMALL_MODEL = 60e6;
/** More cores than this wait for memory rather than for work. */
const MAX_THREADS = 16;

export interface ThreadPlan {
  workers: number;
  /** Threads inside one operator of one worker. */
  threads: number;
  /** Tokens of one training run, padding included: more than this and activations fall out of the core's cache. */
  maxTokens: number;
  /** Rows that one worker samples at once: more amortise a step's fixed cost, and hold more keys and values. */
  maxRows: number;
}

/**
 * Small models: workers of one thread each, which share nothing and so never wait for each other. Large ones: one worker
 * with all threads, so that the weights are held once.
 */
export function planThreads(
  parameters: number,
  threads: number = Math.min(availableParallelism(), MAX_THREADS),
): ThreadPlan {
  if (!Number.isInteger(threads) || threads < 1)
    throw new RangeError(`threads must be a whole number (got ${threads})`);
  return parameters <= SMALL_MODEL
    ? { workers: threads, threads: 1, maxTokens: 1024, maxRows: 128 }
    : { workers: 1, threads, maxTokens: 512, maxRows: 32 };
}
