/** A small country of our own, for tests: two states, cities a drive apart, and every kind of row the checks look at. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '../../core/types.ts';
import { openData } from './data.ts';
import type { Database } from './database.ts';
import type { Query } from './query.ts';

const STATES = { Salem: 'Oldland', Dover: 'Newland', Troy: 'Newland', Perth: 'Newland', Bath: 'Oldland' };
const CITIES = Object.keys(STATES);

const table = (header: string, rows: readonly (readonly (string | number)[])[]) =>
  [header, ...rows.map((row) => row.map((field) => `"${String(field).replaceAll('"', '""')}"`).join(','))].join('\n');

/** Per city: two attractions, seven restaurants from 10 to 16 dollars, and five places to stay. */
const FILES: Record<string, string> = {
  'database/attractions/attractions.csv': table(
    'Name,Latitude,Longitude,Address,Phone,Website,City',
    CITIES.flatMap((city) =>
      ['Old Mill', 'Harbour Museum'].map((name) => [name, 1, 2, `1 ${name} Road`, '555', 'http://x.example', city]),
    ),
  ),
  'database/restaurants/clean_restaurant_2022.csv': table(
    ',Name,City,Cuisines,Average Cost,Aggregate Rating',
    CITIES.flatMap((city) =>
      ['American', 'Chinese', 'French', 'Indian', 'Italian', 'Mediterranean', 'Mexican'].map((cuisine, i) => [
        i,
        `${cuisine} Door`,
        city,
        `Tea, ${cuisine}`,
        10 + i,
        4.1,
      ]),
    ),
  ),
  'database/accommodations/clean_accommodations_2022.csv': table(
    ',NAME,room type,price,minimum nights,review rate number,house_rules,maximum occupancy,city',
    CITIES.flatMap((city) => [
      [0, 'Quiet attic', 'Private room', 50, 2, 4, 'No smoking', 2, city],
      [1, 'Big loft', 'Entire home/apt', 100, 1, 5, 'No pets & No parties', 4, city],
      [2, 'Bunk, by the river', 'Shared room', 20, 1, 3, 'No visitors', 1, city],
      [3, 'Long stay', 'Entire home/apt', 10, 30, 3, 'No smoking', 4, city],
      [4, 'No rules told', 'Entire home/apt', 1, 1, 3, '', 4, city],
    ]),
  ),
  'database/googleDistanceMatrix/distance.csv': table(
    'origin,destination,cost,duration,distance',
    CITIES.flatMap((a) =>
      CITIES.filter((b) => a !== b).map((b) =>
        a === 'Bath' || b === 'Bath'
          ? [a, b, '', '1 day 2 hours', '2,300 km']
          : [a, b, '', '3 hours 5 mins', '1,219 km'],
      ),
    ),
  ),
  'database/background/citySet_with_states.txt': Object.entries(STATES)
    .map((pair) => pair.join('\t'))
    .join('\n'),
};

const flight = (number: string, from: string, to: string, date: string, price: number): JsonObject => ({
  'Flight Number': number,
  Price: price,
  DepTime: '08:00',
  ArrTime: '09:30',
  ActualElapsedTime: '1 hours 30 minutes',
  FlightDate: date,
  OriginCityName: from,
  DestCityName: to,
  Distance: 300,
});

export const NO_WISHES: Query['local_constraint'] = {
  'house rule': null,
  cuisine: null,
  'room type': null,
  transportation: null,
};

export const QUERY: Query = {
  org: 'Salem',
  dest: 'Dover',
  days: 3,
  visiting_city_number: 1,
  date: ['2022-03-01', '2022-03-02', '2022-03-03'],
  people_number: 1,
  budget: 800,
  local_constraint: NO_WISHES,
  query: 'Three days in Dover, please, from Salem.',
  level: 'easy',
};

const DAY = { transportation: '-', breakfast: '-', attraction: '-', lunch: '-', dinner: '-', accommodation: '-' };

/** A plan for the query that passes every check: 2 × 100 for flights, 12 + 33 for meals, 2 × 50 for the attic. */
export const PLAN: readonly JsonObject[] = [
  {
    ...DAY,
    days: 1,
    current_city: 'from Salem to Dover',
    transportation: 'Flight Number: F1, from Salem to Dover, Departure Time: 08:00, Arrival Time: 09:30',
    dinner: 'French Door, Dover',
    accommodation: 'Quiet attic, Dover',
  },
  {
    ...DAY,
    days: 2,
    current_city: 'Dover',
    breakfast: 'American Door, Dover',
    attraction: 'Old Mill, Dover;Harbour Museum, Dover;',
    lunch: 'Chinese Door, Dover',
    dinner: 'Mediterranean Door, Dover',
    accommodation: 'Quiet attic, Dover',
  },
  {
    ...DAY,
    days: 3,
    current_city: 'from Dover to Salem',
    transportation: 'Flight Number: F2, from Dover to Salem, Departure Time: 18:00, Arrival Time: 19:30',
  },
];

const REFERENCE: JsonObject = {
  'Attractions in Dover': [{ Name: 'Old Mill', City: 'Dover' }],
  'Restaurants in Dover': [{ Name: 'French Door', 'Average Cost': 12, Cuisines: 'Tea, French', City: 'Dover' }],
  'Accommodations in Dover': [{ NAME: 'Quiet attic', price: 50, city: 'Dover' }],
  'Flight from Salem to Dover on 2022-03-01': [flight('F1', 'Salem', 'Dover', '2022-03-01', 100)],
  'Self-driving from Salem to Dover': 'self-driving, from Salem to Dover, cost: 60',
  'Flight from Dover to Salem on 2022-03-03': [flight('F2', 'Dover', 'Salem', '2022-03-03', 100)],
};

const HELD_OUT: Query = { ...QUERY, dest: 'Troy', query: 'Three days in Troy, please, from Salem.' };

/** The data set's files for this country: one training query, one of validation, one more without reference information. */
export function fixtureFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-travel-'));
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const files: Record<string, string> = {
    ...FILES,
    'database/train_ref_info.jsonl': lines([REFERENCE]),
    'train_queries.jsonl': lines([{ ...QUERY, idx: 1, annotated_plan: PLAN }]),
    'validation_ref_info_subset.jsonl': lines([{ idx: 2, ...REFERENCE }]),
    'validation_queries.jsonl': lines([
      { ...HELD_OUT, dest: 'Perth', idx: 1 },
      { ...HELD_OUT, idx: 2 },
    ]),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

let opened: Database | undefined;
export function fixtureDatabase(): Database {
  opened ??= openData(fixtureFolder()).database;
  return opened;
}

/** The plan with some keys of one day changed; undefined takes a key away. */
export const changed = (
  day: number,
  changes: Record<string, Json | undefined>,
  plan: readonly JsonObject[] = PLAN,
): Json[] =>
  plan.map((own, i) =>
    i === day - 1
      ? Object.fromEntries(Object.entries({ ...own, ...changes }).filter(([, value]) => value !== undefined))
      : own,
  ) as Json[];
