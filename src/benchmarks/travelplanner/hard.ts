/** The five hard checks of the official evaluator: the budget, and whatever the traveller cares about. */
import type { Json } from '../../core/types.ts';
import {
  daysOf,
  failed,
  flightNumber,
  legOf,
  MEALS,
  meansOf,
  NOT_APPLICABLE,
  PASSED,
  type Rule,
  required,
} from './check.ts';
import { placesFor } from './commonsense.ts';
import type { Accommodation, Database } from './database.ts';
import { contains, PythonError, subject } from './python-values.ts';
import type { Query } from './query.ts';
import { nameCity } from './text.ts';

/** Cuisine. A meal in the city of origin ends the day: whatever is eaten after it counts for nothing. */
const cuisine: Rule = (query, plan, { restaurants }) => {
  const wanted = query.local_constraint.cuisine ?? [];
  if (wanted.length === 0) return NOT_APPLICABLE;
  const served = new Set<string>();
  for (const day of daysOf(query, plan)) {
    for (const meal of MEALS) {
      const value = required(day, meal);
      if (value === undefined) continue;
      if (nameCity(subject(value)).city === query.org) break;
      const [row] = placesFor(restaurants, value);
      for (const kind of wanted) if (row?.cuisines.includes(kind)) served.add(kind);
    }
  }
  const missing = wanted.find((kind) => !served.has(kind));
  if (missing !== undefined) return failed(`no meal is ${missing}`);
  // A cuisine that is asked for twice leaves the official check without a verdict, and its caller with an exception.
  if (served.size !== wanted.length) throw new PythonError('TypeError', 'a cuisine is asked for twice');
  return PASSED;
};

/** Where each night is spent, by the first row that fits. */
const stays = (query: Query, plan: Json, { accommodations }: Database): Accommodation[] =>
  daysOf(query, plan).flatMap((day) => {
    const value = required(day, 'accommodation');
    return value === undefined ? [] : placesFor(accommodations, value).slice(0, 1);
  });

const RULES = new Set(['smoking', 'parties', 'children under 10', 'visitors', 'pets']);

/** Room Rule. */
const roomRule: Rule = (query, plan, database) => {
  const rule = query.local_constraint['house rule'];
  if (rule === null) return NOT_APPLICABLE;
  const refusing = stays(query, plan, database).find(
    ({ houseRules }) => RULES.has(rule) && houseRules.includes(`No ${rule}`),
  );
  return refusing ? failed(`${refusing.name} says: no ${rule}`) : PASSED;
};

/** Transportation. The case of the words matters. */
const transportation: Rule = (query, plan) => {
  const banned = query.local_constraint.transportation;
  if (banned === null) return NOT_APPLICABLE;
  const word = banned === 'no flight' ? 'Flight' : banned === 'no self-driving' ? 'Self-driving' : undefined;
  for (const day of daysOf(query, plan)) {
    const value = required(day, 'transportation');
    if (value !== undefined && word && contains(value, word)) return failed(`the traveller wants ${banned}`);
  }
  return PASSED;
};

const ROOMS: Readonly<Record<string, string>> = {
  'shared room': 'Shared room',
  'private room': 'Private room',
  'entire room': 'Entire home/apt',
};

export function suitsRoomType(wanted: string, roomType: string): boolean {
  if (wanted === 'not shared room') return roomType !== 'Shared room';
  return !Object.hasOwn(ROOMS, wanted) || roomType === ROOMS[wanted];
}

/** Room Type. */
const roomType: Rule = (query, plan, database) => {
  const wanted = query.local_constraint['room type'];
  if (wanted === null) return NOT_APPLICABLE;
  const other = stays(query, plan, database).find((row) => !suitsRoomType(wanted, row.roomType));
  return other ? failed(`${other.name} is a ${other.roomType}, the traveller wants ${wanted}`) : PASSED;
};

/** Budget. Prices in the plan's own words count for nothing. */
const cost: Rule = (query, plan, database) => {
  const total = totalCost(query, plan, database);
  return total <= query.budget ? PASSED : failed(`the trip costs ${total}, the budget is ${query.budget}`);
};

/** People to a car, and to a taxi. */
export const SEATS = { 'self-driving': 5, taxi: 4 } as const;

export const roomsFor = (people: number, { maximumOccupancy }: Accommodation): number =>
  Math.ceil(people / maximumOccupancy);

export function totalCost(query: Query, plan: Json, database: Database): number {
  const people = query.people_number;
  let total = 0;
  for (const day of daysOf(query, plan)) {
    const transport = required(day, 'transportation');
    if (transport !== undefined) total += legCost(query, day, transport, database);
    for (const meal of MEALS) {
      const value = required(day, meal);
      if (value !== undefined) total += (placesFor(database.restaurants, value)[0]?.cost ?? 0) * people;
    }
    const accommodation = required(day, 'accommodation');
    const [row] = accommodation === undefined ? [] : placesFor(database.accommodations, accommodation);
    if (row) total += row.price * roomsFor(people, row);
  }
  return total;
}

function legCost(query: Query, day: Json, transport: Json, database: Database): number {
  const leg = legOf(day, transport);
  const text = subject(transport);
  const means = meansOf(text);
  if (!leg || means === undefined) return 0;
  if (means === 'flight') return (database.flight(flightNumber(text))?.price ?? 0) * query.people_number;
  const each = database.driveCost(leg.from, leg.to, means);
  if (each === null) throw new PythonError('TypeError', `there is no way by ${means}`);
  return each * Math.ceil(query.people_number / SEATS[means]);
}

export type HardCheck = 'valid_cuisine' | 'valid_room_rule' | 'valid_transportation' | 'valid_room_type' | 'valid_cost';

/** By the names of the official evaluator and in its order. */
export const HARD: Record<HardCheck, Rule> = {
  valid_cuisine: cuisine,
  valid_room_rule: roomRule,
  valid_transportation: transportation,
  valid_room_type: roomType,
  valid_cost: cost,
};
