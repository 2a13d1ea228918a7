/**
 * The eight commonsense checks of the official evaluator, quirks included. What looks like a mistake here is one there:
 * verdicts are compared with the official ones.
 */
import type { Json } from '../../core/types.ts';
import {
  daysOf,
  failed,
  flightNumber,
  isBlank,
  isSet,
  legOf,
  MEALS,
  meansOf,
  optional,
  PASSED,
  type Rule,
  required,
} from './check.ts';
import type { Database, Directory, Place } from './database.ts';
import { contains, equal, isDict, itemAt, itemOf, PythonError, receiver, subject } from './python-values.ts';
import { citiesOf, reasonableRoute, routeOf } from './route.ts';
import { nameCity, stripParen } from './text.ts';

/** Every item ends with a semicolon: what follows the last one is not looked at. */
const attractionsIn = (value: Json): string[] => receiver(value).split(';').slice(0, -1);

export const placesFor = <T extends Place>(directory: Directory<T>, text: Json): readonly T[] => {
  const { name, city } = nameCity(subject(text));
  return directory.find(name, city);
};

/** Diverse Restaurants: no meal twice, letter by letter. */
const diverseRestaurants: Rule = (query, plan) => {
  const seen: Json[] = [];
  for (const [i, day] of daysOf(query, plan).entries()) {
    for (const meal of MEALS) {
      const value = optional(day, meal);
      if (value === undefined) continue;
      if (seen.some((other) => equal(other, value))) return failed(`${meal} of day ${i + 1} repeats a restaurant`);
      seen.push(value);
    }
  }
  return PASSED;
};

/** Diverse Attractions. */
const diverseAttractions: Rule = (query, plan) => {
  const seen = new Set<string>();
  for (const [i, day] of daysOf(query, plan).entries()) {
    const value = optional(day, 'attraction');
    for (const item of value === undefined ? [] : attractionsIn(value)) {
      if (seen.has(item)) return failed(`day ${i + 1} repeats the attraction ${item}`);
      seen.add(item);
    }
  }
  return PASSED;
};

/** Minimum Nights: runs of equal texts are nights, and a text that fits several places is never checked. */
const minimumNights: Rule = (query, plan, { accommodations }) => {
  const stays: { place: Json; nights: number }[] = [];
  for (const day of daysOf(query, plan)) {
    if (!contains(day, 'accommodation')) return failed('a day says nothing of accommodation');
    const place = itemOf(day, 'accommodation');
    const last = stays.at(-1);
    if (last && equal(last.place, place)) last.nights++;
    else stays.push({ place, nights: 1 });
  }
  for (const { place, nights } of stays) {
    if (isBlank(place)) continue;
    const [row, ...others] = placesFor(accommodations, place);
    if (row && others.length === 0 && nights < row.minimumNights)
      return failed(`${row.name} must be booked for ${row.minimumNights} nights, not ${nights}`);
  }
  return PASSED;
};

/** Non-conflicting Transportation: who drives can neither fly nor take a taxi. */
const consistentTransportation: Rule = (query, plan) => {
  const first = required(itemAt(plan, 0), 'transportation');
  if (first === undefined) return failed('day 1 has no transportation');
  const means = new Set([meansBroadly(first)]);
  for (const day of daysOf(query, plan)) {
    const value = optional(day, 'transportation');
    if (value !== undefined) means.add(meansBroadly(value));
  }
  return means.has('self-driving') && (means.has('flight') || means.has('taxi'))
    ? failed('self-driving goes with neither flights nor taxis')
    : PASSED;
};

function meansBroadly(value: Json): string | undefined {
  const lower = receiver(value).toLowerCase();
  return ['taxi', 'self-driving', 'flight'].find((means) => lower.includes(means));
}

/** Within Current City. On a day in one city the letters of its name are taken for cities, as the official loop does. */
const withinCurrentCity: Rule = (query, plan) => {
  for (const [i, day] of daysOf(query, plan).entries()) {
    const cities = citiesOf(day);
    const parts: string[] = cities.length === 2 ? cities : [...cities[0]];
    const wrong = (what: string) => failed(`${what} of day ${i + 1} is in another city`);
    const transportation = optional(day, 'transportation');
    if (transportation !== undefined && !parts.every((part) => contains(transportation, part)))
      return wrong('transportation');
    for (const meal of MEALS) {
      const value = optional(day, meal);
      if (value !== undefined && !parts.some((part) => contains(value, part))) return wrong(meal);
    }
    const attraction = optional(day, 'attraction');
    for (const item of attraction === undefined ? [] : attractionsIn(attraction)) {
      if (!parts.some((part) => item.includes(part))) return wrong('an attraction');
    }
    const accommodation = optional(day, 'accommodation');
    if (accommodation === undefined) continue;
    const last = parts.at(-1);
    if (last === undefined) throw new PythonError('IndexError', 'the current city is empty');
    if (!contains(accommodation, last)) return wrong('accommodation');
  }
  return PASSED;
};

/** Within Sandbox: everything that is named exists. */
const withinSandbox: Rule = (query, plan, database) => {
  const { restaurants, attractions, accommodations } = database;
  for (const [i, day] of daysOf(query, plan).entries()) {
    const unknown = (what: string) => failed(`${what} of day ${i + 1} is not in the database`);
    const transportation = required(day, 'transportation');
    if (transportation !== undefined && !isKnownLeg(day, transportation, database)) return unknown('transportation');
    for (const meal of MEALS) {
      const value = optional(day, meal);
      if (value !== undefined && placesFor(restaurants, value).length === 0) return unknown(meal);
    }
    const attraction = optional(day, 'attraction');
    for (const item of attraction === undefined ? [] : attractionsIn(attraction)) {
      if (placesFor(attractions, item).length === 0) return unknown(`the attraction ${item}`);
    }
    const accommodation = optional(day, 'accommodation');
    if (accommodation !== undefined && placesFor(accommodations, accommodation).length === 0)
      return unknown('accommodation');
  }
  return PASSED;
};

function isKnownLeg(day: Json, transportation: Json, database: Database): boolean {
  const leg = legOf(day, transportation);
  const text = subject(transportation);
  const means = meansOf(text);
  if (means === undefined) return true;
  if (means === 'flight') {
    if (!leg) throw new PythonError('ValueError', 'the flight names no cities');
    return database.flies(flightNumber(text), stripParen(leg.from), stripParen(leg.to));
  }
  return database.driveCost(leg?.from ?? '-', leg?.to ?? '-', means) !== null;
}

const INFORMATION = ['transportation', 'breakfast', 'lunch', 'dinner', 'attraction', 'accommodation'] as const;

/** What the official annotation tool writes into days beyond the trip. */
const NO_DAY = "You don't need to fill in the information for this or later days.";

/** Complete Information. */
const completeInformation: Rule = (query, plan) => {
  const days = daysOf(query, plan);
  const filled = days.filter((day) => !isEmptyDay(day) && !equal(itemOf(day, 'current_city'), NO_DAY));
  if (filled.length !== query.days) return failed(`${filled.length} of ${query.days} days are planned`);
  const route = routeOf(query, plan);
  if (!Array.isArray(route)) return route;
  const visited = new Set(route);
  visited.delete(query.org);
  if (visited.size !== query.visiting_city_number)
    return failed(`${visited.size} cities are visited, not ${query.visiting_city_number}`);
  let values = 0;
  for (const [i, day] of days.entries()) {
    const missing = INFORMATION.find((key) => !contains(day, key));
    if (missing) return failed(`day ${i + 1} says nothing of ${missing}`);
    const current = itemOf(day, 'current_city');
    const none = (what: string) => failed(`day ${i + 1} has no ${what}`);
    const isBlankIn = (key: string) => isBlank(itemOf(day, key));
    if ((contains(current, 'from ') || contains(current, 'to ')) && isBlankIn('transportation'))
      return none('transportation');
    if (!contains(current, 'from ') && !contains(current, ' to ') && isBlankIn('attraction')) return none('attraction');
    if (i !== query.days - 1 && isBlankIn('accommodation')) return none('accommodation');
    if (MEALS.some(isBlankIn) && !contains(current, 'from ')) return none('meal at some time');
    values += isDict(day) ? Object.values(day).filter(isSet).length : 0;
  }
  return values / (INFORMATION.length * query.days) < 0.5 ? failed('more than half of the plan is empty') : PASSED;
};

const isEmptyDay = (day: Json) => isDict(day) && Object.keys(day).length === 0;

export type CommonsenseCheck =
  | 'is_reasonable_visiting_city'
  | 'is_valid_restaurants'
  | 'is_valid_attractions'
  | 'is_valid_accommodation'
  | 'is_valid_transportation'
  | 'is_valid_information_in_current_city'
  | 'is_valid_information_in_sandbox'
  | 'is_not_absent';

/** By the names of the official evaluator and in its order: where several would raise, it ends with the first. */
export const COMMONSENSE: Record<CommonsenseCheck, Rule> = {
  is_reasonable_visiting_city: reasonableRoute,
  is_valid_restaurants: diverseRestaurants,
  is_valid_attractions: diverseAttractions,
  is_valid_accommodation: minimumNights,
  is_valid_transportation: consistentTransportation,
  is_valid_information_in_current_city: withinCurrentCity,
  is_valid_information_in_sandbox: withinSandbox,
  is_not_absent: completeInformation,
};
