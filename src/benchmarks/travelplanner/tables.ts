/** The sandbox from its CSV files, as pandas reads them. */
import type { JsonObject } from '../../core/types.ts';
import { csvRecords } from '../csv.ts';
import { createDatabase, type Database, type Flight } from './database.ts';
import { readText } from './files.ts';

/** Flights are known from reference information alone: the table of all flights is no part of the data. */
export function openDatabase(folder: string, references: () => Iterable<JsonObject>): Database {
  const table = (file: string) => csvRecords(readText(folder, `database/${file}`));
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
    flights: () => flightsOf(references()),
    drives: () =>
      table('googleDistanceMatrix/distance.csv').map((row) => ({
        origin: row('origin'),
        destination: row('destination'),
        duration: row('duration'),
        distance: row('distance'),
      })),
    states: () =>
      new Map(
        readText(folder, 'database/background/citySet_with_states.txt')
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

function flightsOf(references: Iterable<JsonObject>): Flight[] {
  const flights = new Map<string, Flight>();
  for (const reference of references) {
    for (const [title, rows] of Object.entries(reference)) {
      if (!title.startsWith('Flight') || !Array.isArray(rows)) continue;
      for (const row of rows as JsonObject[]) flights.set(String(row['Flight Number']), flightOf(row));
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
