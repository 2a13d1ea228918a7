/** From queries to tasks: the prompt, the goal that the world judges by, and what reports say about difficulty. */
import type { TaskDraft } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Json, JsonObject, Origin, Task } from '../../core/types.ts';
import type { Row, TravelData } from './data.ts';
import { promptFor } from './prompt.ts';
import { CONSTRAINTS, type Query, readQuery } from './query.ts';
import { referenceFor } from './reference.ts';
import { findWitness, type Witness } from './witness.ts';

export const WORLD = 'travelplanner';

/** Characters of reference information in a prompt of training: about 8,000 tokens, under the paper's limit of 9,000. */
export const REFERENCE_CHARACTERS = 24_000;

/** The cities that reference information is about, in its order. */
export const citiesIn = (reference: JsonObject): string[] =>
  Object.keys(reference).flatMap((title) => (title.startsWith(SECTION) ? [title.slice(SECTION.length)] : []));

const SECTION = 'Restaurants in ';

export function rowTask(row: Row, origin: Origin, data: TravelData, maxCharacters: number): Task {
  const { query, reference, annotated } = row;
  const cities = citiesIn(reference);
  const draft: TaskDraft = {
    prompt: promptFor(query, reference, {
      compact: true,
      maxCharacters,
      keep: namesIn(Array.isArray(annotated) ? annotated : []),
      lot: query.query,
    }),
    tools: [],
    eval: { kind: 'world', world: WORLD, goal: goalOf(query, cities) },
    features: featuresOf(query, findWitness(query, cities, data.database)),
  };
  return rootTask(draft, origin, { structure: structureOf });
}

/** A generated task: reference information comes from the database, and the witness's places are always part of it. */
export function generatedDraft(query: Query, witness: Witness, data: TravelData, maxCharacters: number): TaskDraft {
  const reference = referenceFor(witness, data.database);
  const keep = namesIn(witness.plan);
  return {
    prompt: promptFor(query, reference, { compact: true, maxCharacters, keep, lot: query.query }),
    tools: [],
    eval: { kind: 'world', world: WORLD, goal: goalOf(query, witness.stops.slice(1, -1)) },
    features: featuresOf(query, witness),
  };
}

const goalOf = (query: Query, cities: string[]): Json => ({ query: query as unknown as JsonObject, cities }); // Plain data.

export function goalQuery({ eval: spec }: Pick<Task, 'eval'>): { query: Query; cities: string[] } | undefined {
  if (spec.kind !== 'world' || spec.world !== WORLD) return undefined;
  const goal = spec.goal as JsonObject;
  const query = readQuery(goal.query);
  return 'problem' in query ? undefined : { query, cities: (goal.cities as string[] | undefined) ?? [] };
}

/** The names in a plan, as rows of reference information begin with them, and its flights. */
function namesIn(plan: readonly Json[]): string[] {
  const names = new Set<string>();
  for (const day of plan as JsonObject[]) {
    for (const [key, value] of Object.entries(day)) {
      if (typeof value !== 'string' || value === '-' || key === 'current_city') continue;
      const flight = /Flight Number: (\w+)/.exec(value)?.[1];
      if (flight) names.add(flight);
      else if (key === 'attraction') for (const item of value.split(';')) names.add(nameOf(item));
      else if (key !== 'transportation') names.add(nameOf(value));
    }
  }
  names.delete('');
  return [...names];
}

const nameOf = (place: string) => place.slice(0, Math.max(0, place.lastIndexOf(','))).trim();

/** `slack` is the budget over the cost of the cheapest trip: 1 leaves no choice. */
function featuresOf(query: Query, witness: Witness | { problem: string }): Record<string, number> {
  return {
    days: query.days,
    people: query.people_number,
    constraints: wishesOf(query).length,
    ...('cost' in witness && witness.cost > 0 ? { slack: query.budget / witness.cost } : {}),
  };
}

const wishesOf = ({ local_constraint: local }: Query) => CONSTRAINTS.filter((name) => local[name] !== null);

/** The facets of a query: how long, how many, and each wish with its value; places, days and money are rubbed out. */
export function structureOf(draft: Pick<Task, 'eval'>): string {
  const query = goalQuery(draft)?.query;
  if (!query) return 'none';
  const { people_number: people, local_constraint: local } = query;
  const wishes = wishesOf(query).map((name) =>
    name === 'cuisine' ? `cuisines-${local.cuisine!.length}` : `${name}-${local[name]}`,
  );
  const group = people === 1 ? 'alone' : people <= 4 ? 'few' : 'many';
  return [`${query.days}-days`, group, ...wishes.map((wish) => wish.replaceAll(' ', '-'))].join(' ');
}

/** By how much is asked and for how long, from easy to hard. */
export function stratumOf(task: Pick<Task, 'eval'>): string {
  const query = goalQuery(task)?.query;
  return query ? `wishes ${wishesOf(query).length}, days ${query.days}` : 'unknown';
}
