/**
 * Diversity quotas. A simulator that is paid for one kind of task writes nothing else, the agent masters it, and the rest is
 * never practised: so a kind that takes more than its share of an epoch is worth less.
 */
import type { Outcome } from './types.ts';

/** What each task keeps of its reward: all of it up to the quota, then quota / share, in the geometric mean of its facets. */
export function crowding(
  outcomes: readonly Pick<Outcome, 'taskId' | 'structure'>[],
  quota: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { structure } of outcomes) {
    for (const facet of facets(structure)) counts.set(facet, (counts.get(facet) ?? 0) + 1);
  }
  const kept = ({ structure }: Pick<Outcome, 'structure'>) => {
    const room = facets(structure).map((facet) => Math.min(1, (quota * outcomes.length) / counts.get(facet)!));
    return room.reduce((product, r) => product * r, 1) ** (1 / room.length);
  };
  return new Map(outcomes.map((outcome) => [outcome.taskId, kept(outcome)]));
}

/** A structure is one word or several, each a facet: two clauses, a list, a repetition. */
const facets = (structure: string): string[] => [...new Set(structure.split(' '))];
