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

const RETENTION = 0.25;

/**
 * How much a pooled task is worth re-rolling: most where the agent was undecided (Proposition 1), on the hard side of it,
 * because the agent has moved on by then; but never nothing: a mastered curriculum is only retained by meeting it again.
 */
export function replayWeight({ successes, attempts }: Pick<Outcome, 'successes' | 'attempts'>): number {
  const p = attempts > 0 ? successes / attempts : 0;
  return RETENTION + 5 * p * (1 - p) ** 2;
}

/** The archive of seeds: tasks the agent was undecided on lately. What it always or never solved is no way to the frontier. */
export const seedWeight = ({ weight, epoch: met }: PoolEntry, epoch: number): number =>
  Math.max(0, weight - RETENTION) / (epoch - met) ** 2;

/** Valid(E_t): a task enters D_train when at least one of its rollouts could be judged. */
export function agentPoolEntry(outcome: Outcome, epoch: number): PoolEntry | undefined {
  if (outcome.attempts === 0 || isHeldOut(outcome.role)) return undefined;
  return { pool: 'agent', memberId: outcome.taskId, epoch, weight: replayWeight(outcome) };
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
