/**
 * The two growing pools, D_train and D_env, as rules for drawing from them. The pools themselves stream out of the
 * journal; nothing here holds more than what it returns.
 */
import { isHeldOut } from './held-out.ts';
import type { PoolEntry } from './journal.ts';
import type { Rng } from './rng.ts';
import type { Outcome } from './types.ts';

/**
 * m items without replacement, in proportion to their weights, from a stream of any length (Efraimidis and Spirakis:
 * keep the m largest u^(1/w)). Returned in stream order; all of them when there are no more than m.
 */
export function weightedSample<T>(items: Iterable<T>, m: number, weight: (item: T) => number, rng: Rng): T[] {
  const heap: { key: number; at: number; item: T }[] = [];
  let at = 0;
  for (const item of items) {
    const w = weight(item);
    // log(u)/w orders as u^(1/w) and does not underflow.
    const key = w > 0 ? Math.log(1 - rng.next()) / w : Number.NEGATIVE_INFINITY;
    const entry = { key, at: at++, item };
    if (key === Number.NEGATIVE_INFINITY || m <= 0) continue;
    if (heap.length < m) {
      heap.push(entry);
      siftUp(heap);
    } else if (key > heap[0]!.key) {
      heap[0] = entry;
      siftDown(heap);
    }
  }
  return heap.sort((a, b) => a.at - b.at).map((entry) => entry.item);
}

/**
 * How much a pooled task is worth re-rolling: most where the agent was undecided (Proposition 1) and lately, because what
 * it was undecided about long ago it has learned since; but never nothing, for a curriculum is retained by meeting it again.
 */
export const replayWeight = ({ weight: p, epoch: met }: PoolEntry, epoch: number): number =>
  (0.25 + 3 * p * (1 - p)) / (epoch - met) ** 2;

/**
 * The archive of seeds. Variations of a task are about as hard as the task, so the seeds that lead to success at α are
 * those the agent lately solved at about that rate; where the last epoch came out easier than α, look among harder ones.
 */
export function seedWeight({ weight: p, epoch: met }: PoolEntry, epoch: number, aim: number): number {
  const age = epoch - met;
  return Math.exp(-(((p - aim) / SEED_WIDTH) ** 2)) / age ** 2;
}

const SEED_WIDTH = 0.2;

/**
 * Where to look for seeds, given α and how the last epochs came out: among harder ones after easy epochs, and always a
 * little ahead, because by the time their variations are attempted the agent has learned.
 */
export const seedAim = (alpha: number, achieved: number = alpha): number =>
  Math.min(0.9, Math.max(0.1, alpha - LEAD - CORRECTION * (achieved - alpha)));

const LEAD = 0.2;
const CORRECTION = 3;

/** Valid(E_t): a task enters D_train when at least one of its rollouts could be judged. */
export function agentPoolEntry(outcome: Outcome, epoch: number): PoolEntry | undefined {
  if (outcome.attempts === 0 || isHeldOut(outcome.role)) return undefined;
  return { pool: 'agent', memberId: outcome.taskId, epoch, weight: outcome.successes / outcome.attempts };
}

/** Stored traces may be fed to GRPO again only while the policy that wrote them is at most `maxStaleness` epochs old. */
export const isFresh = (traceEpoch: number, epoch: number, maxStaleness: number): boolean =>
  traceEpoch === epoch || epoch - traceEpoch <= maxStaleness;

/** How an epoch's attempts are shared out between new tasks, base data and replay. */
export function mixture(total: number, shares: { baseShare: number; replayShare: number }): MixtureCounts {
  const base = Math.round(total * shares.baseShare);
  // Two halves of an odd total both round up; together they are still no more than the total.
  const replay = Math.min(Math.round(total * shares.replayShare), total - base);
  return { fresh: total - base - replay, base, replay };
}

export interface MixtureCounts {
  fresh: number;
  base: number;
  replay: number;
}

function siftUp(heap: { key: number }[]): void {
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1;
    if (heap[parent]!.key <= heap[i]!.key) return;
    [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
    i = parent;
  }
}

function siftDown(heap: { key: number }[]): void {
  for (let i = 0; ; ) {
    const left = 2 * i + 1;
    if (left >= heap.length) return;
    const child = left + 1 < heap.length && heap[left + 1]!.key < heap[left]!.key ? left + 1 : left;
    if (heap[i]!.key <= heap[child]!.key) return;
    [heap[i], heap[child]] = [heap[child]!, heap[i]!];
    i = child;
  }
}
