/**
 * The cheapest plan for a trip of the usual shape (two nights in each city, travel on the days between), found in the
 * database. Where it passes all official checks the query is feasible, and this plan is the witness.
 */
import type { Json } from '../../core/types.ts';
import type { Accommodation, Attraction, Database, Directory, Place } from './database.ts';
import { roomsFor, SEATS, suitsRoomType } from './hard.ts';
import { cheapestMeals } from './meals.ts';
import type { Query } from './query.ts';
import { driveText } from './reference.ts';
import { type PlanVerdict, scorePlan, tallyOf } from './score.ts';
import { nameCity } from './text.ts';

export interface Witness {
  plan: Json[];
  cost: number;
  /** From the origin back to it, in the order that is cheapest to travel. */
  stops: string[];
  /** The days on which each leg is travelled. */
  dates: string[];
}

/** The number of cities that a trip of so many days goes to. */
export const CITIES_BY_DAYS: Readonly<Record<number, number>> = { 3: 1, 5: 2, 7: 3 };

/** Nights in each city: what a place may ask for at least. */
const NIGHTS = 2;

export function findWitness(
  query: Query,
  cities: readonly string[],
  database: Database,
): Witness | { problem: string } {
  const travel = cheapestTravel(query, cities, database);
  if (!travel) return { problem: `there is no known way from ${query.org} through ${cities.join(', ')} and back` };
  const stays: Stay[] = [];
  for (const city of travel.stops.slice(1, -1)) {
    const room = cheapestRoom(query, city, database.accommodations);
    if (!room)
      return { problem: `no place to stay in ${city} suits: too many nights at least, its rules or its rooms` };
    const attraction = database.attractions.in(city).find((row) => isNamedAlone(row, database.attractions));
    if (!attraction) return { problem: `there is no attraction in ${city}` };
    stays.push({ city, room, attraction });
  }
  const wanted = query.local_constraint.cuisine ?? [];
  const meals = cheapestMeals(travel.stops.slice(1, -1), wanted, (city) =>
    database.restaurants.in(city).filter((row) => isNamedAlone(row, database.restaurants)),
  );
  if (!meals)
    return { problem: `the restaurants of ${cities.join(', ')} cannot serve ${wanted.join(', ') || 'a full day'}` };
  const lodging = stays.reduce((sum, { room }) => sum + NIGHTS * room.price * roomsFor(query.people_number, room), 0);
  const cost = travel.cost + lodging + meals.cost * query.people_number;
  if (cost > query.budget) return { problem: `the cheapest trip costs ${cost}, the budget is ${query.budget}` };
  const plan = writePlan(travel.legs, stays, meals.byCity);
  const verdict = scorePlan(query, plan, database);
  if (!tallyOf(verdict).final) return { problem: `the cheapest trip fails: ${failures(verdict)}` };
  return { plan, cost, stops: travel.stops, dates: travel.dates };
}

interface Stay {
  city: string;
  room: Accommodation;
  attraction: Attraction;
}

/** Whether "Name, City" finds this row and finds it first. */
function isNamedAlone<T extends Place>(row: T, directory: Directory<T>): boolean {
  const { name, city } = nameCity(textOf(row));
  return city === row.city && name !== '' && !row.name.includes(';') && directory.find(name, city)[0] === row;
}

const textOf = ({ name, city }: Place): string => `${name}, ${city}`;

function cheapestRoom(query: Query, city: string, directory: Directory<Accommodation>): Accommodation | undefined {
  const { 'house rule': rule, 'room type': type } = query.local_constraint;
  const price = (row: Accommodation) => row.price * roomsFor(query.people_number, row);
  return directory
    .in(city)
    .filter((row) => row.minimumNights <= NIGHTS)
    .filter((row) => !rule || !row.houseRules.includes(`No ${rule}`))
    .filter((row) => !type || suitsRoomType(type, row.roomType))
    .filter((row) => isNamedAlone(row, directory))
    .reduce<Accommodation | undefined>((best, row) => (best && price(best) <= price(row) ? best : row), undefined);
}

interface Travel {
  stops: string[];
  dates: string[];
  /** The transportation texts. */
  legs: { origin: string; destination: string; text: string }[];
  cost: number;
}

/** Over all orders of the cities: by car throughout, or each leg by plane or taxi. */
function cheapestTravel(query: Query, cities: readonly string[], database: Database): Travel | undefined {
  const banned = query.local_constraint.transportation;
  let best: Travel | undefined;
  for (const order of permutations(cities)) {
    const stops = [query.org, ...order, query.org];
    const dates = stops.slice(1).map((_, i) => query.date[NIGHTS * i]!);
    for (const byCar of banned === 'no self-driving' ? [false] : [true, false]) {
      const legs = dates.map((date, i) => {
        const origin = stops[i]!;
        const destination = stops[i + 1]!;
        const ways = byCar
          ? [drive(query, origin, destination, 'self-driving', database)]
          : [
              drive(query, origin, destination, 'taxi', database),
              banned === 'no flight' ? undefined : flight(query, origin, destination, date, database),
            ];
        const way = ways.reduce((a, b) => (a && (!b || a.cost <= b.cost) ? a : b));
        return way && { origin, destination, ...way };
      });
      if (!legs.every((leg) => leg !== undefined)) continue;
      const cost = legs.reduce((sum, leg) => sum + leg.cost, 0);
      if (!best || cost < best.cost) best = { stops, dates, legs, cost };
    }
  }
  return best;
}

type Way = { text: string; cost: number } | undefined;

function drive(
  { people_number: people }: Query,
  origin: string,
  destination: string,
  mode: 'self-driving' | 'taxi',
  database: Database,
): Way {
  const text = driveText(origin, destination, mode, database);
  const each = database.driveCost(origin, destination, mode);
  if (text === undefined || each === null) return undefined;
  return { text: text.charAt(0).toUpperCase() + text.slice(1), cost: each * Math.ceil(people / SEATS[mode]) };
}

function flight(
  { people_number: people }: Query,
  origin: string,
  destination: string,
  date: string,
  database: Database,
): Way {
  const flights = database.flightsBetween(origin, destination).filter((row) => row.date === date);
  const [first, ...others] = flights;
  if (!first) return undefined;
  const row = others.reduce((best, other) => (other.price < best.price ? other : best), first);
  return {
    text: `Flight Number: ${row.number}, from ${origin} to ${destination}, Departure Time: ${row.departs}, Arrival Time: ${row.arrives}`,
    cost: row.price * people,
  };
}

/** A day of travel to each city, a day in it, and a day back. Meals beyond a city's full day are eaten on arrival. */
function writePlan(legs: Travel['legs'], stays: readonly Stay[], meals: readonly (readonly Place[])[]): Json[] {
  const plan: Json[] = [];
  for (const [i, { origin, destination, text }] of legs.entries()) {
    const stay = stays[i];
    const [breakfast, lunch, dinner, ...extra] = (meals[i] ?? []).map(textOf);
    plan.push({
      days: plan.length + 1,
      current_city: `from ${origin} to ${destination}`,
      transportation: text,
      breakfast: extra[2] ?? '-',
      attraction: '-',
      lunch: extra[1] ?? '-',
      dinner: extra[0] ?? '-',
      accommodation: stay ? textOf(stay.room) : '-',
    });
    if (!stay) continue;
    plan.push({
      days: plan.length + 1,
      current_city: stay.city,
      transportation: '-',
      breakfast: breakfast!,
      attraction: `${textOf(stay.attraction)};`,
      lunch: lunch!,
      dinner: dinner!,
      accommodation: textOf(stay.room),
    });
  }
  return plan;
}

const failures = ({ commonsense, hard }: PlanVerdict): string =>
  Object.values({ ...commonsense, ...hard })
    .flatMap(({ pass, reason }) => (pass === false ? [reason] : []))
    .join('; ');

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]));
}
