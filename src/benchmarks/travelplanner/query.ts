/** A travel request in its structured form, with the field names of the data set, which score lines use too. */
import type { Json } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { isDict } from './python-values.ts';

export interface Query {
  org: string;
  /** A city for three days, a state for more. */
  dest: string;
  days: number;
  visiting_city_number: number;
  date: string[];
  people_number: number;
  budget: number;
  local_constraint: LocalConstraint;
  /** The request in words; empty where a line brings only the fields. */
  query: string;
  level: string;
}

/** Null means that the traveller does not care. */
export interface LocalConstraint {
  'house rule': string | null;
  cuisine: string[] | null;
  'room type': string | null;
  transportation: string | null;
}

export const CONSTRAINTS = ['house rule', 'cuisine', 'room type', 'transportation'] as const;

export const HOUSE_RULES = ['smoking', 'parties', 'children under 10', 'visitors', 'pets'] as const;
export const ROOM_TYPES = ['shared room', 'not shared room', 'private room', 'entire room'] as const;
export const TRANSPORTATION = ['no flight', 'no self-driving'] as const;
export const CUISINES = ['American', 'Chinese', 'French', 'Indian', 'Italian', 'Mediterranean', 'Mexican'] as const;

/** How many hard constraints a plan for it is judged by: the budget, and what the traveller cares about. */
export const hardTotal = ({ local_constraint: local }: Query): number =>
  1 + CONSTRAINTS.filter((name) => local[name] !== null).length;

/** Reads a query from JSON. Numbers may be texts and constraints a Python literal, as in the data set's own CSV. */
export function readQuery(value: Json | undefined): Query | { problem: string } {
  if (!isDict(value)) return { problem: 'the query is not an object' };
  const { org, dest } = value;
  if (typeof org !== 'string') return { problem: 'the query has no "org"' };
  if (typeof dest !== 'string') return { problem: 'the query has no "dest"' };
  const days = numberIn(value.days);
  const people = numberIn(value.people_number);
  const budget = numberIn(value.budget);
  if (days === undefined || !Number.isInteger(days) || days < 1 || days > 366)
    return { problem: 'the query\'s "days" is not a number of days' };
  if (people === undefined || !Number.isInteger(people) || people < 1)
    return { problem: 'the query\'s "people_number" is not a number of people' };
  if (budget === undefined) return { problem: 'the query\'s "budget" is not a number' };
  const cities = value.visiting_city_number === undefined ? (days - 1) / 2 : numberIn(value.visiting_city_number);
  if (cities === undefined) return { problem: 'the query\'s "visiting_city_number" is not a number' };
  const local = readConstraint(value.local_constraint);
  if (!local) return { problem: 'the query\'s "local_constraint" is not in the form of the data set' };
  const date = literalIn(value.date);
  return {
    org,
    dest,
    days,
    visiting_city_number: cities,
    date: Array.isArray(date) ? date.filter((day) => typeof day === 'string') : [],
    people_number: people,
    budget,
    local_constraint: local,
    query: typeof value.query === 'string' ? value.query : '',
    level: typeof value.level === 'string' ? value.level : '',
  };
}

function readConstraint(value: Json | undefined): LocalConstraint | undefined {
  const fields = literalIn(value) ?? {};
  if (!isDict(fields)) return undefined;
  const own = (name: string): Json => (Object.hasOwn(fields, name) ? fields[name]! : null);
  const cuisine = own('cuisine');
  if (cuisine !== null && !(Array.isArray(cuisine) && cuisine.every((c) => typeof c === 'string'))) return undefined;
  const rule = own('house rule');
  const room = own('room type');
  const transportation = own('transportation');
  const isText = (field: Json): field is string | null => field === null || typeof field === 'string';
  if (!isText(rule) || !isText(room) || !isText(transportation)) return undefined;
  return { 'house rule': rule, cuisine, 'room type': room, transportation };
}

const literalIn = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? pythonLiteral(value) : value;

function numberIn(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
