/** The data set on disk: queries, their reference information, and the tables of the sandbox. Read when first needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../core/types.ts';
import { csvRecords } from '../csv.ts';
import { DataError } from '../data.ts';
import { createDatabase, type Database, type Flight } from './database.ts';
import { type Query, readQuery } from './query.ts';

export type Split = 'train' | 'validation';

/** A query of the data set, with what the traveller's planner is told. */
export interface Row {
  idx: number;
  query: Query;
  /** Section title → rows or a sentence, in order: attractions, restaurants and accommodations by city, then the legs. */
  reference: JsonObject;
  /** The training split's own plan. */
  annotated: Json | undefined;
}

export interface TravelData {
  database: Database;
  /** The queries that have reference information: all 45 for training, 105 of 180 for validation. */
  rows(split: Split): Row[];
  row(split: Split, idx: number): Row | undefined;
  /** A query by its number, with or without reference information. */
  query(split: Split, idx: number): Query | undefined;
  queries(split: Split): Query[];
}

export function openData(folder: string): TravelData {
  const rows = perSplit((split) => readRows(folder, split));
  const queries = perSplit((split) => new Map(readQueries(folder, split).map(({ idx, query }) => [idx, query])));
  const byIndex = perSplit((split) => new Map(rows(split).map((row) => [row.idx, row])));
  return {
    database: openDatabase(folder),
    rows,
    row: (split, idx) => byIndex(split).get(idx),
    query: (split, idx) => queries(split).get(idx),
    queries: (split) => [...queries(split).values()],
  };
}

export function openDatabase(folder: string): Database {
  const table = (file: string) => csvRecords(read(folder, `database/${file}`));
  return createDatabase({
    attractions: () =>
      complete(table('attractions/attractions.csv'), ATTRACTION).map((row) => ({
        name: row('Name'),
        city: row('City'),
      })),
    restaurants: () =>
      complete(table('restaurants/clean_restaurant_2022.csv'), RESTAURANT).map((row) => ({
        name: row('Name'),
        city: row('City'),
        cost: Number(row('Average Cost')),
        cuisines: row('Cuisines'),
        rating: Number(row('Aggregate Rating')),
      })),
    accommodations: () =>
      complete(table('accommodations/clean_accommodations_2022.csv'), ACCOMMODATION).map((row) => ({
        name: row('NAME'),
        city: row('city'),
        price: Number(row('price')),
        roomType: row('room type'),
        houseRules: row('house_rules'),
        minimumNights: Number(row('minimum nights')),
        maximumOccupancy: Number(row('maximum occupancy')),
        rating: Number(row('review rate number')),
      })),
    flights: () => flightsOf(folder),
    drives: () =>
      table('googleDistanceMatrix/distance.csv').map((row) => ({
        origin: row('origin'),
        destination: row('destination'),
        duration: row('duration'),
        distance: row('distance'),
      })),
    states: () =>
      new Map(
        read(folder, 'database/background/citySet_with_states.txt')
          .split('\n')
          .filter((line) => line.includes('\t'))
          .map((line) => line.replace(/\r$/, '').split('\t') as [string, string]),
      ),
  });
}

const ATTRACTION = ['Name', 'Latitude', 'Longitude', 'Address', 'Phone', 'Website', 'City'];
const RESTAURANT = ['Name', 'City', 'Cuisines', 'Average Cost', 'Aggregate Rating'];
const ACCOMMODATION = [
  'NAME',
  'room type',
  'price',
  'minimum nights',
  'review rate number',
  'house_rules',
  'maximum occupancy',
  'city',
];

/** What pandas reads as a missing value. */
const MISSING = new Set(
  [
    '',
    '#N/A',
    '#N/A N/A',
    '#NA',
    '-1.#IND',
    '-1.#QNAN',
    '-NaN',
    '-nan',
    '1.#IND',
    '1.#QNAN',
    '<NA>',
    'N/A',
    'NA',
    'NULL',
  ].concat(['NaN', 'n/a', 'nan', 'null']),
);

/** The official tables drop rows with a missing value. */
const complete = <T extends (column: string) => string>(rows: T[], columns: readonly string[]): T[] =>
  rows.filter((row) => columns.every((column) => !MISSING.has(row(column))));

/** Flights are known from reference information alone: the table of all flights is no part of the data. */
function flightsOf(folder: string): Flight[] {
  const flights = new Map<string, Flight>();
  for (const split of ['train', 'validation'] as const) {
    for (const reference of readReferences(folder, split).values()) {
      for (const [title, rows] of Object.entries(reference)) {
        if (!title.startsWith('Flight') || !Array.isArray(rows)) continue;
        for (const row of rows as JsonObject[]) flights.set(String(row['Flight Number']), flightOf(row));
      }
    }
  }
  return [...flights.values()];
}

const flightOf = (row: JsonObject): Flight => ({
  number: String(row['Flight Number']),
  price: Number(row.Price),
  departs: String(row.DepTime),
  arrives: String(row.ArrTime),
  elapsed: String(row.ActualElapsedTime),
  date: String(row.FlightDate),
  origin: String(row.OriginCityName),
  destination: String(row.DestCityName),
  distance: Number(row.Distance),
});

function readRows(folder: string, split: Split): Row[] {
  const references = readReferences(folder, split);
  return readQueries(folder, split).flatMap(({ idx, query, annotated }) => {
    const reference = references.get(idx);
    return reference ? [{ idx, query, reference, annotated }] : [];
  });
}

function readQueries(folder: string, split: Split): Pick<Row, 'idx' | 'query' | 'annotated'>[] {
  const file = `${split}_queries.jsonl`;
  return readLines(folder, file).map((line, i) => {
    const query = readQuery(line);
    if ('problem' in query) throw new DataError(`${join(folder, file)}:${i + 1}: ${query.problem}`);
    return { idx: Number(line.idx ?? i + 1), query, annotated: line.annotated_plan };
  });
}

/** Reference information by the number of its query, which is its line where it has no number. */
function readReferences(folder: string, split: Split): Map<number, JsonObject> {
  const file = split === 'train' ? 'database/train_ref_info.jsonl' : 'validation_ref_info_subset.jsonl';
  return new Map(
    readLines(folder, file).map(({ idx, ...reference }, i) => [typeof idx === 'number' ? idx : i + 1, reference]),
  );
}

function readLines(folder: string, file: string): JsonObject[] {
  return read(folder, file)
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as JsonObject];
      } catch {
        throw new DataError(`${join(folder, file)}:${i + 1} is not JSON. Run: genenv data verify travelplanner`);
      }
    });
}

/** Synchronous, because a world judges without waiting: a table is read once, in milliseconds. */
function read(folder: string, file: string): string {
  const path = join(folder, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new DataError(
      `${path} is not there. Run: genenv data pull travelplanner (or point GENENV_DATA at a folder that has travelplanner/${file}).`,
    );
  }
}

function perSplit<T>(make: (split: Split) => T): (split: Split) => T {
  const made = new Map<Split, T>();
  return (split) => {
    if (!made.has(split)) made.set(split, make(split));
    return made.get(split)!;
  };
}
