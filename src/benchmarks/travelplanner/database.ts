/**
 * The sandbox that plans are checked against: places by city, flights by number, distances by pair. A table is read when
 * it is first asked for.
 */
import { stripParen } from './text.ts';

export interface Place {
  name: string;
  city: string;
}

export type Attraction = Place;

export interface Restaurant extends Place {
  cost: number;
  cuisines: string;
  rating: number;
}

export interface Accommodation extends Place {
  price: number;
  roomType: string;
  houseRules: string;
  minimumNights: number;
  maximumOccupancy: number;
  rating: number;
}

export interface Flight {
  number: string;
  price: number;
  departs: string;
  arrives: string;
  elapsed: string;
  date: string;
  origin: string;
  destination: string;
  distance: number;
}

export interface Drive {
  origin: string;
  destination: string;
  /** As the table has them: "10 hours 55 mins" and "1,144 km"; empty where unknown. */
  duration: string;
  distance: string;
}

/** Where the rows come from: each table is asked for once, if at all. */
export interface Tables {
  attractions(): Attraction[];
  restaurants(): Restaurant[];
  accommodations(): Accommodation[];
  flights(): Flight[];
  drives(): Drive[];
  /** City → state. */
  states(): Map<string, string>;
}

export type DriveMode = 'self-driving' | 'taxi';

export interface Database {
  attractions: Directory<Attraction>;
  restaurants: Directory<Restaurant>;
  accommodations: Directory<Accommodation>;
  /** The first flight of this number. */
  flight(number: string): Flight | undefined;
  /** Whether a flight of this number connects these cities, on whatever day. */
  flies(number: string, origin: string, destination: string): boolean;
  flightsBetween(origin: string, destination: string): readonly Flight[];
  drive(origin: string, destination: string): Drive | undefined;
  /** Null where the cities are not connected by less than a day's drive. */
  driveCost(origin: string, destination: string, mode: DriveMode): number | null;
  stateOf(city: string): string | undefined;
  citiesIn(state: string): readonly string[];
  cities(): readonly string[];
}

export interface Directory<T extends Place> {
  in(city: string): readonly T[];
  /** Rows of the city whose name contains this one, in the order of the table. Every name contains the empty one. */
  find(name: string, city: string): readonly T[];
}

export function createDatabase(tables: Tables): Database {
  const flights = lazy(() => groupBy(tables.flights(), ({ number }) => number));
  const routes = lazy(() => groupBy(tables.flights(), (flight) => pair(flight.origin, flight.destination)));
  const drives = lazy(() => {
    const first = new Map<string, Drive>();
    for (const drive of tables.drives()) {
      const key = pair(drive.origin, drive.destination);
      if (!first.has(key)) first.set(key, drive);
    }
    return first;
  });
  const states = lazy(() => tables.states());
  const byState = lazy(() => groupBy([...states().keys()], (city) => states().get(city)!));
  const drive = (origin: string, destination: string) =>
    drives().get(pair(stripParen(origin), stripParen(destination)));
  return {
    attractions: directory(() => tables.attractions()),
    restaurants: directory(() => tables.restaurants()),
    accommodations: directory(() => tables.accommodations()),
    flight: (number) => flights().get(number)?.[0],
    flies: (number, origin, destination) =>
      flights()
        .get(number)
        ?.some((f) => f.origin === origin && f.destination === destination) ?? false,
    flightsBetween: (origin, destination) => routes().get(pair(origin, destination)) ?? [],
    drive,
    driveCost(origin, destination, mode) {
      const row = drive(origin, destination);
      if (!row || row.duration === '' || row.distance === '' || row.duration.includes('day')) return null;
      const km = Number(row.distance.replaceAll('km', '').replaceAll(',', ''));
      return Math.trunc(mode === 'taxi' ? km : km * 0.05);
    },
    stateOf: (city) => states().get(city),
    citiesIn: (state) => byState().get(state) ?? [],
    cities: () => [...states().keys()],
  };
}

function directory<T extends Place>(rows: () => T[]): Directory<T> {
  const byCity = lazy(() => groupBy(rows(), ({ city }) => city));
  const inCity = (city: string) => byCity().get(city) ?? [];
  const known = new Map<string, readonly T[]>();
  return {
    in: inCity,
    find(name, city) {
      const key = `${city}\t${name}`;
      const found = known.get(key) ?? inCity(city).filter((row) => row.name.includes(name));
      // A plan names a place many times over, and plans of one query name the same places.
      if (known.size === MAX_KNOWN) known.clear();
      known.set(key, found);
      return found;
    },
  };
}

/** Lookups remembered per table: far more than the places of the queries at hand. */
const MAX_KNOWN = 10_000;

const pair = (origin: string, destination: string) => `${origin}\t${destination}`;

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
