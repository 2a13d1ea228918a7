/** Eq. 2: p̂ = k/n, and over which attempts k and n are counted. */
import type { Outcome } from './types.ts';

/** Successes among attempts. Fractions appear when a task borrows from its seed. */
export interface Evidence {
  successes: number;
  attempts: number;
}

/**
 * `seed`: all attempts on the variations of one seed, the paper's batch of n variations. `task`: the task's own G attempts.
 * `epoch`: everything generated this epoch.
 */
export type SuccessScope = 'seed' | 'task' | 'epoch';

/** p̂; undefined without an attempt, because 0/0 is not a failure. */
export function successRate({ successes, attempts }: Evidence): number | undefined {
  return attempts > 0 ? successes / attempts : undefined;
}

/** Some but not all attempts succeeded: only such a group has a gradient. */
export const isUseful = ({ successes, attempts }: Evidence): boolean => successes > 0 && successes < attempts;

/**
 * The evidence each task is credited with. In task scope every task may borrow `shrinkage` pseudo-attempts at its seed's
 * rate: G attempts say little, and a seed's variations resemble each other.
 */
export function creditEvidence(
  outcomes: readonly Pick<Outcome, 'taskId' | 'seedId' | 'successes' | 'attempts'>[],
  scope: SuccessScope,
  shrinkage = 0,
): Map<string, Evidence> {
  const shared = new Map<string, Evidence>();
  const key = (o: { seedId: string | null; taskId: string }) => (scope === 'epoch' ? '' : (o.seedId ?? o.taskId));
  for (const outcome of outcomes) {
    const sum = shared.get(key(outcome)) ?? { successes: 0, attempts: 0 };
    sum.successes += outcome.successes;
    sum.attempts += outcome.attempts;
    shared.set(key(outcome), sum);
  }
  const credit = new Map<string, Evidence>();
  for (const outcome of outcomes) {
    const group = shared.get(key(outcome))!;
    credit.set(outcome.taskId, scope === 'task' ? shrink(outcome, group, shrinkage) : group);
  }
  return credit;
}

function shrink(own: Evidence, seed: Evidence, pseudo: number): Evidence {
  if (own.attempts === 0 || pseudo === 0) return { successes: own.successes, attempts: own.attempts };
  const rate = seed.successes / seed.attempts;
  return { successes: own.successes + pseudo * rate, attempts: own.attempts + pseudo };
}
