/**
 * A request as a tree. `text Ana the report twice, then book Lima for four, no, make it five, but before that dim the light
 * in the kitchen` has three clauses; each has an action, where it goes in the plan, and what is done to it.
 */
import type { Fact, Type, Verb } from './lexicon.ts';

/** A value, several (`each of Ana, Ben and Cleo`), or the ones named last (`them`, `there`, `as many`, `it`). */
export type Filler = { kind: 'value'; word: string } | { kind: 'each'; words: string[] } | { kind: 'same' };

export interface Action {
  verb: Verb;
  /** In the order of the tool's arguments. */
  fillers: Filler[];
  /** `twice`, `three times`, `four times`. */
  times: 1 | 2 | 3 | 4;
}

/** Where a clause's calls go: after all so far, before all so far, or just before those of the clause before it. */
export type Place = 'then' | 'first' | 'before';

export interface Clause {
  place: Place;
  /** Done only if this holds. */
  condition: Fact | null;
  action: Action;
  /** `no, make it five`: replaces what the action says of that type. */
  correction: { type: Type; word: string } | null;
  /** `otherwise …`: done instead when the condition does not hold. */
  otherwise: Action | null;
}

export interface Request {
  /** What is said to hold, at the beginning. */
  facts: Fact[];
  clauses: Clause[];
  /** `all of it twice`. */
  all: 1 | 2;
}

/** The ways a request goes beyond a row of plain clauses. */
export const SKILLS = [
  'first',
  'before',
  'times',
  'each',
  'same',
  'correction',
  'condition',
  'otherwise',
  'all',
  'find',
  'check',
] as const;
export type Skill = (typeof SKILLS)[number];

/** Which skills a request needs, each once for every place it is needed in. */
export function skillsOf({ clauses, all }: Request): Skill[] {
  const skills: Skill[] = clauses.flatMap((clause) => {
    const { place, condition, action, correction, otherwise } = clause;
    return [
      ...(place === 'then' ? [] : [place]),
      ...(condition ? ['condition' as const] : []),
      ...(correction ? ['correction' as const] : []),
      ...(otherwise ? ['otherwise' as const, ...skillsOfAction(otherwise)] : []),
      ...skillsOfAction(action),
    ];
  });
  return all === 1 ? skills : [...skills, 'all'];
}

function skillsOfAction({ verb, fillers, times }: Action): Skill[] {
  return [
    ...(times > 1 ? ['times' as const] : []),
    ...(verb === 'find' || verb === 'check' ? [verb] : []),
    ...fillers.flatMap(({ kind }) => (kind === 'value' ? [] : [kind])),
  ];
}
