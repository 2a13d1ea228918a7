/**
 * Reference information: what a planner is told. The data set brings it for its queries; for generated ones it is built
 * from the database in the same form. Training prompts are pruned, deterministically, to fit a short context.
 */
import { createRng, shuffled } from '../../core/rng.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import type { Accommodation, Attraction, Database, Flight, Restaurant } from './database.ts';

/** The cities in the order of the trip, from the origin back to it, with the days on which each leg is travelled. */
export interface Itinerary {
  stops: readonly string[];
  dates: readonly string[];
}

/** The sections for a trip, in the form of the data set. */
export function referenceFor({ stops, dates }: Itinerary, database: Database): JsonObject {
  const reference: JsonObject = {};
  for (const city of stops.slice(1, -1)) {
    for (const kind of ['Attractions', 'Restaurants', 'Accommodations'] as const) {
      reference[`${kind} in ${city}`] = placesIn(kind, city, database);
    }
  }
  for (const [i, origin] of stops.slice(0, -1).entries()) {
    const destination = stops[i + 1]!;
    const date = dates[i]!;
    const flights = database.flightsBetween(origin, destination).filter((flight) => flight.date === date);
    reference[`Flight from ${origin} to ${destination} on ${date}`] =
      flights.length > 0 ? flights.map(flightRow) : `There is no flight from ${origin} to ${destination} on ${date}.`;
    for (const mode of ['self-driving', 'taxi'] as const) {
      const title = `${mode === 'taxi' ? 'Taxi' : 'Self-driving'} from ${origin} to ${destination}`;
      reference[title] = driveText(origin, destination, mode, database) ?? 'No valid information.';
    }
  }
  return reference;
}

export type PlaceKind = 'Attractions' | 'Restaurants' | 'Accommodations';

/** All places of a kind in a city, as rows. */
export function placesIn(kind: PlaceKind, city: string, database: Database): Json[] {
  switch (kind) {
    case 'Attractions':
      return database.attractions.in(city).map(attractionRow);
    case 'Restaurants':
      return database.restaurants.in(city).map(restaurantRow);
    case 'Accommodations':
      return database.accommodations.in(city).map(accommodationRow);
    default:
      return kind satisfies never;
  }
}

/** As plans write it too; undefined where there is no way. */
export function driveText(
  origin: string,
  destination: string,
  mode: 'self-driving' | 'taxi',
  database: Database,
): string | undefined {
  const cost = database.driveCost(origin, destination, mode);
  const drive = database.drive(origin, destination);
  if (cost === null || !drive) return undefined;
  return `${mode}, from ${origin} to ${destination}, duration: ${drive.duration}, distance: ${drive.distance}, cost: ${cost}`;
}

const attractionRow = ({ name, city }: Attraction): Json => ({ Name: name, City: city });

const restaurantRow = (row: Restaurant): Json => ({
  Name: row.name,
  'Average Cost': row.cost,
  Cuisines: row.cuisines,
  'Aggregate Rating': row.rating,
  City: row.city,
});

const accommodationRow = (row: Accommodation): Json => ({
  NAME: row.name,
  price: row.price,
  'room type': row.roomType,
  house_rules: row.houseRules,
  'minimum nights': row.minimumNights,
  'maximum occupancy': row.maximumOccupancy,
  'review rate number': row.rating,
  city: row.city,
});

const flightRow = (row: Flight): Json => ({
  'Flight Number': row.number,
  Price: row.price,
  DepTime: row.departs,
  ArrTime: row.arrives,
  ActualElapsedTime: row.elapsed,
  FlightDate: row.date,
  OriginCityName: row.origin,
  DestCityName: row.destination,
  Distance: row.distance,
});

/** What a plan is judged by; the rest (addresses, telephone numbers) only makes prompts longer. */
const COMPACT: readonly (readonly [kind: string, columns: readonly string[]])[] = [
  ['Attractions', ['Name']],
  ['Restaurants', ['Name', 'Average Cost', 'Cuisines', 'Aggregate Rating']],
  [
    'Accommodations',
    ['NAME', 'price', 'room type', 'house_rules', 'minimum nights', 'maximum occupancy', 'review rate number'],
  ],
  ['Flight', ['Flight Number', 'Price', 'DepTime', 'ArrTime']],
];

export interface Rendering {
  /** Only the columns that matter. */
  compact: boolean;
  /** Characters that the sections may have; rows are left out by lot until they fit. */
  maxCharacters: number;
  /** Rows that mention one of these stay. */
  keep: readonly string[];
  /** Decides the lot. */
  lot: string;
}

/** The sections as text: a title, the columns, a row a line. */
export function renderReference(reference: JsonObject, rendering: Rendering): string {
  const sections = Object.entries(reference).map(([title, content]) => sectionOf(title, content, rendering));
  prune(sections, rendering);
  return sections.map(({ head, rows }) => [head, ...rows.filter((row) => row !== undefined)].join('\n')).join('\n\n');
}

interface Section {
  head: string;
  /** Undefined where a row was left out: the others keep their order. */
  rows: (string | undefined)[];
}

function sectionOf(title: string, content: Json, { compact }: Rendering): Section {
  if (!Array.isArray(content)) return { head: `${title}: ${String(content)}`, rows: [] };
  const objects = content as JsonObject[];
  const own = compact ? COMPACT.find(([kind]) => title.startsWith(kind))?.[1] : undefined;
  const columns = own ?? Object.keys(objects[0] ?? {});
  const rows = objects.map((row) => columns.map((column) => String(row[column] ?? '')).join(' | '));
  return { head: `${title} (${columns.join(' | ')}):`, rows: rows.filter((row) => !CONTROL.test(row)) };
}

/** Rows that no prompt should carry: the tables have a few broken encodings. */
const CONTROL = /[\0-\x1f\x7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function prune(sections: Section[], { maxCharacters, keep, lot }: Rendering): void {
  let size = sections.reduce((sum, { head, rows }) => sum + head.length + 2 + textLength(rows), 0);
  const spare = sections.flatMap(({ rows }) =>
    rows.flatMap((row, at) =>
      row !== undefined && !keep.some((name) => row.includes(name)) ? [{ rows, at, row }] : [],
    ),
  );
  for (const { rows, at, row } of shuffled(spare, createRng('travelplanner').fork(lot))) {
    if (size <= maxCharacters) return;
    rows[at] = undefined;
    size -= row.length + 1;
  }
}

const textLength = (rows: Section['rows']) => rows.reduce((sum, row) => sum + (row?.length ?? 0) + 1, 0);
