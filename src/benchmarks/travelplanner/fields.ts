/** A query in the form that the simulator reads and writes: places by name, the first day, and the wishes. */
import type { Json, JsonObject } from '../../core/types.ts';
import type { Database } from './database.ts';
import { isDict } from './python-values.ts';
import {
  CONSTRAINTS,
  CUISINES,
  HOUSE_RULES,
  type LocalConstraint,
  type Query,
  ROOM_TYPES,
  TRANSPORTATION,
} from './query.ts';
import { datesFrom, levelOf, writeRequest } from './request.ts';
import { CITIES_BY_DAYS } from './witness.ts';

export const fieldsOf = (query: Query, cities: readonly string[]): JsonObject => ({
  org: query.org,
  dest: query.dest,
  cities: [...cities],
  days: query.days,
  date: query.date[0] ?? '',
  people_number: query.people_number,
  budget: query.budget,
  local_constraint: { ...query.local_constraint },
});

const MAX_PEOPLE = 12;
const MAX_BUDGET = 100_000;

/** The query and the cities it goes to, or what is wrong with the form or the places. */
export function readFields(
  fields: JsonObject,
  database: Database,
): { query: Query; cities: string[] } | { problem: string } {
  const own = (key: string): Json => (Object.hasOwn(fields, key) ? fields[key]! : null);
  const [org, dest, days, people, budget] = ['org', 'dest', 'days', 'people_number', 'budget'].map(own);
  if (typeof org !== 'string' || database.stateOf(org) === undefined) return { problem: '"org" is not a known city' };
  if (typeof days !== 'number' || !Object.hasOwn(CITIES_BY_DAYS, days)) return { problem: '"days" is not 3, 5 or 7' };
  if (typeof dest !== 'string') return { problem: '"dest" is not a text' };
  if (!isWhole(people, 1, MAX_PEOPLE))
    return { problem: `"people_number" is not a whole number from 1 to ${MAX_PEOPLE}` };
  if (!isWhole(budget, 1, MAX_BUDGET)) return { problem: `"budget" is not a whole number from 1 to ${MAX_BUDGET}` };
  const cities = citiesFor(days === 3 ? (own('cities') ?? [dest]) : own('cities'), { org, dest, days }, database);
  if ('problem' in cities) return cities;
  const first = own('date');
  const date = datesFrom(String(Array.isArray(first) ? first[0] : first), days);
  if (date.length === 0) return { problem: '"date" is not a day like 2022-03-16' };
  const local = readWishes(own('local_constraint'));
  if ('problem' in local) return local;
  const level = levelOf(local);
  const stated = own('level');
  if (stated !== null && stated !== level) return { problem: `"level" is ${level} by the number of wishes` };
  const query = {
    org,
    dest,
    days,
    visiting_city_number: cities.cities.length,
    date,
    people_number: people,
    budget,
    local_constraint: local,
    level,
  };
  return { query: { ...query, query: writeRequest(query) }, cities: cities.cities };
}

function citiesFor(
  value: Json,
  { org, dest, days }: Pick<Query, 'org' | 'dest' | 'days'>,
  database: Database,
): { cities: string[] } | { problem: string } {
  const count = CITIES_BY_DAYS[days]!;
  if (!Array.isArray(value) || value.length !== count || !value.every((city) => typeof city === 'string'))
    return { problem: `"cities" is not a list of ${count} for ${days} days` };
  const cities = value as string[];
  if (new Set([...cities, org]).size !== count + 1) return { problem: 'a city occurs twice' };
  if (days === 3 && cities[0] !== dest) return { problem: 'a trip of 3 days goes to "dest" itself' };
  const state = (city: string) => database.stateOf(city);
  const stray = cities.find((city) => state(city) === undefined || (days > 3 && state(city) !== dest));
  if (stray !== undefined)
    return { problem: `${stray.slice(0, 60)} is not a known city${days > 3 ? ' of that state' : ''}` };
  return { cities };
}

function readWishes(value: Json): LocalConstraint | { problem: string } {
  const fields = value === null ? {} : value;
  if (!isDict(fields)) return { problem: '"local_constraint" is not an object' };
  const unknown = Object.keys(fields).find((key) => !CONSTRAINTS.some((name) => name === key));
  if (unknown !== undefined) return { problem: `"${unknown.slice(0, 60)}" is not a constraint` };
  const own = (key: string): Json => (Object.hasOwn(fields, key) ? fields[key]! : null);
  const choices = { 'house rule': HOUSE_RULES, 'room type': ROOM_TYPES, transportation: TRANSPORTATION } as const;
  const [rule, room, transportation] = Object.entries(choices).map(([name, options]) => {
    const wish = own(name);
    return wish === null || options.some((option) => option === wish) ? (wish as string | null) : undefined;
  });
  if (rule === undefined || room === undefined || transportation === undefined)
    return { problem: 'a wish is none of the values there are' };
  const cuisine = own('cuisine');
  const isCuisines =
    Array.isArray(cuisine) &&
    cuisine.length > 0 &&
    cuisine.length <= 4 &&
    new Set(cuisine).size === cuisine.length &&
    cuisine.every((kind) => CUISINES.some((known) => known === kind));
  if (cuisine !== null && !isCuisines)
    return { problem: `"cuisine" is not a list of one to four of ${oneOf(CUISINES)}` };
  return { 'house rule': rule, cuisine: cuisine as string[] | null, 'room type': room, transportation };
}

const isWhole = (value: Json | undefined, min: number, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

export function oneOf(options: readonly string[]): string {
  return options.map((option) => `"${option}"`).join(' | ');
}
