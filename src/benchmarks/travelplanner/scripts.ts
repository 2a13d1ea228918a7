/**
 * Both players as scripts, for runs without a model. The agent plans by search and gets each facet of a query right with a
 * probability of its own; the simulator draws how tight the budget is, how many travel and what they wish for.
 */
import type { Rng } from '../../core/rng.ts';
import type { Script } from '../../core/script.ts';
import type { Json, JsonObject, Message, Player } from '../../core/types.ts';
import { openData, type TravelData } from './data.ts';
import { fieldsOf, readFields } from './fields.ts';
import { requestIn } from './prompt.ts';
import { CUISINES, HOUSE_RULES, type Query, ROOM_TYPES } from './query.ts';
import { readRequest } from './request.ts';
import { structureOf, WORLD } from './tasks.ts';
import { findWitness } from './witness.ts';

/** Each facet is right about 77 times in 100 at the start. */
const INITIAL_SKILL = 1.2;
/** One generation in fifty is garbage at the start, as with a real model. */
const WELL_FORMED = 4;
/** Budgets as multiples of the cheapest trip. */
const SLACK = [1, 1.1, 1.3, 1.7, 2.5];
const MAX_WISHES = 3;
const PEOPLE = [1, 2, 4, 7];
/** The facets there are skills for. */
const FACETS = ['3-days', '5-days', '7-days', 'alone', 'few', 'many', 'house', 'cuisines', 'room', 'transportation'];

/** Scripts for the data in this folder; nothing is read before the first message. */
export function travelplannerScripts({ data: folder }: { data: string }): Record<Player, Script> {
  let opened: TravelData | undefined;
  const data = () => {
    opened ??= openData(folder);
    return opened;
  };
  return { agent: agentScript(data), environment: environmentScript(data) };
}

function agentScript(data: () => TravelData): Script {
  const known = new WeakMap<readonly Message[], Query | undefined>();
  const queryOf = (messages: readonly Message[]): Query | undefined => {
    if (!known.has(messages)) known.set(messages, askedIn(messages, data()));
    return known.get(messages);
  };
  return {
    rows: Object.fromEntries(FACETS.map((facet) => [facet, [0, INITIAL_SKILL]])),
    decisions: (messages) => {
      const query = queryOf(messages);
      return query ? facetsOf(query) : [FACETS[0]!];
    },
    text(messages, choices) {
      const query = queryOf(messages);
      const found = query && findWitness(query, citiesShown(messages), data().database);
      const plan = found && 'plan' in found ? found.plan : [];
      return JSON.stringify([...choices].every((choice) => choice === 1) ? plan : spoiled(plan));
    },
  };
}

/** Generated requests are in a form of their own; the data set's are known by their words. */
function askedIn(messages: readonly Message[], data: TravelData): Query | undefined {
  const words = requestIn(messages);
  const own = readRequest(words);
  if (own) return { ...own, query: words };
  return (['train', 'validation'] as const)
    .flatMap((split) => data.queries(split))
    .find(({ query }) => query === words);
}

function facetsOf(query: Query): string[] {
  const words = structureOf({ eval: { kind: 'world', world: WORLD, goal: { query: query as unknown as Json } } });
  return words.split(' ').flatMap((word) => FACETS.find((facet) => word.startsWith(facet)) ?? []);
}

const citiesShown = (messages: readonly Message[]): string[] =>
  [...(messages.at(-1)?.content ?? '').matchAll(/^Restaurants in (.+?) \(/gm)].map((match) => match[1]!);

/** A plan with one flaw: a restaurant is visited twice. */
const spoiled = (plan: readonly Json[]): Json[] =>
  plan.map((day, i) => (i === 1 ? { ...(day as JsonObject), dinner: (day as JsonObject).lunch! } : day));

function environmentScript(data: () => TravelData): Script {
  return {
    rows: {
      wellFormed: [0, WELL_FORMED],
      slack: SLACK.map(() => 0),
      wishes: Array.from({ length: MAX_WISHES + 1 }, () => 0),
      people: PEOPLE.map(() => 0),
    },
    decisions: () => ['wellFormed', 'slack', 'wishes', 'people'],
    text(messages, [wellFormed, slack, wishes, people], rng) {
      const text = JSON.stringify(
        variation(messages, data(), { slack: slack!, wishes: wishes!, people: people! }, rng),
      );
      return wellFormed === 1 ? text : text.slice(0, rng.int(text.length));
    },
  };
}

/** The seed with other wishes, as many of them as can be met, and a budget from its cheapest trip. */
function variation(
  messages: readonly Message[],
  { database }: TravelData,
  { slack, wishes, people }: { slack: number; wishes: number; people: number },
  rng: Rng,
): JsonObject {
  const line = (messages.at(-1)?.content ?? '').split('\n').find((words) => words.startsWith('{')) ?? '{}';
  const seed = JSON.parse(line) as JsonObject;
  for (let asked = wishes; asked >= 0; asked--) {
    const fields = {
      ...seed,
      people_number: PEOPLE[people]!,
      budget: 100_000,
      local_constraint: wishesFor(asked, rng.fork('wishes', asked)),
    };
    const read = readFields(fields, database);
    if ('problem' in read) return fields;
    const witness = findWitness(read.query, read.cities, database);
    if ('cost' in witness)
      return { ...fieldsOf(read.query, read.cities), budget: Math.ceil(witness.cost * SLACK[slack]!) };
  }
  return seed;
}

function wishesFor(count: number, rng: Rng): JsonObject {
  const pick = (options: readonly string[]) => options[rng.int(options.length)]!;
  const wishes: [string, Json][] = [
    ['house rule', pick(HOUSE_RULES)],
    ['cuisine', [pick(CUISINES)]],
    ['room type', pick(ROOM_TYPES)],
  ];
  const first = rng.int(wishes.length);
  return Object.fromEntries(Array.from({ length: count }, (_, i) => wishes[(first + i) % wishes.length]!));
}
