/**
 * The two growing pools, D_train and D_env, as rules: what enters them and what it weighs in a draw. The pools themselves
 * stay in the journal.
 */
import { isHeldOut } from './held-out.ts';
import type { PoolEntry } from './journal.ts';
import type { Outcome } from './types.ts';

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
  epoch - traceEpoch <= maxStaleness;

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
