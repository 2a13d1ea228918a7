/**
 * The simulator's side: what it is shown, and how the query it writes is read. A query enters training only with a witness,
 * a plan from the database that passes every check, and its words are made from its fields: there is no label to get wrong.
 */
import type { TaskDraft } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import { createRng, shuffled } from '../../core/rng.ts';
import type { Json, JsonObject, Message } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import type { TravelData } from './data.ts';
import type { Database } from './database.ts';
import { fieldsOf, oneOf, readFields } from './fields.ts';
import { isDict } from './python-values.ts';
import { CUISINES, HOUSE_RULES, type Query, ROOM_TYPES, TRANSPORTATION } from './query.ts';
import { generatedDraft, goalQuery } from './tasks.ts';
import { findWitness } from './witness.ts';

const INSTRUCTIONS = `You set travel-planning tasks for an agent. The agent gets the places, flights and drives of the cities and writes a plan, which is checked against the request. Given a seed request, write ONE new request of the same kind, harder or easier, so that the agent succeeds about as often as the target says.
Harder: a budget close to the cheapest possible trip, more days, more people, more wishes. Easier: the opposite.
A request is accepted only if a plan for it can be found in the database.

Answer with one JSON object and nothing else:
{"org": city of departure, "dest": a city for 3 days, a state for 5 or 7, "cities": the 1, 2 or 3 cities to visit (3, 5 or 7 days), "days": 3 | 5 | 7, "date": first day like "2022-03-16", "people_number": 1 to 12, "budget": dollars for everyone, "local_constraint": {"house rule": null or ${oneOf(HOUSE_RULES)}, "cuisine": null or a list out of ${oneOf(CUISINES)}, "room type": null or ${oneOf(ROOM_TYPES)}, "transportation": null or ${oneOf(TRANSPORTATION)}}}`;

export function contextOf(brief: Brief, data: TravelData): Message[] {
  const { seed, lineage, overall, target } = brief;
  const goal = goalQuery(seed);
  const lines = [
    `Seed request:\n${JSON.stringify(goal ? fieldsOf(goal.query, goal.cities) : {})}`,
    ...(seed.features.slack === undefined
      ? []
      : [`The budget of the seed is ${seed.features.slack.toFixed(2)} times the cost of the cheapest trip.`]),
    ...(goal ? optionsFor(goal.query, data.database, seed.id) : []),
    lineage.length > 0
      ? `The agent's success on variations of this request: ${lineage.map((l) => `epoch ${l.epoch}: ${l.successes} of ${l.attempts}`).join(', ')}.`
      : 'The agent has not attempted variations of this request yet.',
    ...(overall === undefined
      ? []
      : [`The agent's success on all generated requests in the last epoch: ${percent(overall)}.`]),
    `Target: the agent should solve the new request in about ${percent(target.alpha)} of its attempts (between ${percent(target.alpha - target.kMin)} and ${percent(target.alpha + target.kMin)}).`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.join('\n') },
  ];
}

/** Some places that go well with the seed's city of departure. */
function optionsFor({ org, dest, days }: Query, database: Database, seedId: string): string[] {
  const reachable = (city: string) => city !== org && database.driveCost(org, city, 'taxi') !== null;
  const rng = createRng('travelplanner').fork('options', seedId);
  const inState = days === 3 ? [] : database.citiesIn(dest).filter((city) => city !== org);
  const others = shuffled(database.cities().filter(reachable), rng).slice(0, 12);
  return [
    ...(inState.length > 0 ? [`Cities in ${dest}: ${inState.join(', ')}.`] : []),
    ...(others.length > 0
      ? [
          `Some cities one can drive to from ${org}: ${others.map((city) => `${city} (${database.stateOf(city)})`).join(', ')}.`,
        ]
      : []),
  ];
}

/** Reads what the simulator wrote: its form, the places it names, and whether any plan meets it. */
export function readGenerated(text: string, data: TravelData, maxCharacters: number): TaskDraft | { problem: string } {
  const fields = objectIn(text);
  if (!fields) return { problem: 'there is no JSON object' };
  const read = readFields(fields, data.database);
  if ('problem' in read) return read;
  const { query, cities } = read;
  if (isHeldOut(query, data)) return { problem: 'this is a request of the validation split' };
  const witness = findWitness(query, cities, data.database);
  return 'problem' in witness ? witness : generatedDraft(query, witness, data, maxCharacters);
}

/** The authors of the data set allow no use of validation queries in training. */
const isHeldOut = ({ org, dest, days, date }: Query, data: TravelData): boolean =>
  data.queries('validation').some((q) => q.org === org && q.dest === dest && q.days === days && q.date[0] === date[0]);

function objectIn(text: string): JsonObject | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  const inner = text.slice(start, end + 1);
  const value = parse(inner);
  return isDict(value) ? value : undefined;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return pythonLiteral(text);
  }
}

const percent = (rate: number) => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;
