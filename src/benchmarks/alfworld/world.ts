/**
 * A world: everything about a game that never changes. The record is its form on disk (one line of a worlds file); the world
 * is the record with names looked up and commands spelled out, made once and shared by all states played in it.
 */
import type { Json, JsonObject } from '../../core/types.ts';
import type { Catalogue } from './catalogue.ts';
import { flagBits, LETTERS } from './flags.ts';
import { type Goal, readGoal } from './goal.ts';

/** `[name, type, location, openable]` */
export type ReceptacleRow = [name: string, type: string, at: number, openable: number];
/** `[name, type, location or -1, receptacles it is in, flags]` */
export type ObjectRow = [name: string, type: string, at: number, inside: number[], flags: string];

export interface WorldRecord {
  id: string;
  split?: string;
  task_type?: string;
  task: string;
  goal: Goal;
  walkthrough?: string[];
  receptacles: ReceptacleRow[];
  objects: ObjectRow[];
  /** `[inner, outer]`: objects in receptacle objects, a cup's spoon. */
  inside: [number, number][];
  start: number;
  /** Receptacle type → object types that can be put there. */
  can: Record<string, string[]>;
  /** Kinds of things that variations of this world may use beside those in it: see catalogue.ts. */
  catalogue?: Catalogue;
}

export interface World {
  readonly record: WorldRecord;
  readonly goal: Goal;
  readonly receptacles: readonly Receptacle[];
  readonly objects: readonly Thing[];
  readonly receptacleNamed: ReadonlyMap<string, number>;
  readonly objectNamed: ReadonlyMap<string, number>;
  /** Receptacles at each location, in the order of the record. */
  readonly placesAt: readonly (readonly number[])[];
  /** The same, and all objects, by code point of their names: the order of commands. */
  readonly placesAtByName: readonly (readonly number[])[];
  readonly receptaclesByName: readonly number[];
  readonly objectsByName: readonly number[];
  /** Locations there are, named and not. */
  readonly locations: number;
  /** The state at the start: see state.ts. */
  readonly flags: readonly number[];
  readonly objectAt: readonly number[];
  readonly inside: readonly (readonly number[])[];
  readonly start: number;
  /** Objects of the goal's type, receptacles of its type, and lamps of its type. */
  readonly goalObjects: readonly number[];
  readonly goalReceptacles: readonly number[];
  readonly goalLamps: readonly number[];
}

export interface Receptacle {
  readonly name: string;
  readonly type: string;
  readonly at: number;
  readonly openable: boolean;
  /** `go to …`, spelled once: it is in nearly every list of commands. */
  readonly goTo: string;
  /** Whether an object may be put here, by index. */
  readonly accepts: Uint8Array;
}

export interface Thing {
  readonly name: string;
  readonly type: string;
  readonly isKnife: boolean;
  /** Objects that were in this one from the start; nothing ever changes it. */
  readonly holds: readonly number[];
}

export const MAX_RECEPTACLES = 500;
export const MAX_OBJECTS = 2000;

const worlds = new WeakMap<object, World | { problem: string }>();

/** The world of a record, made once; or what is wrong with the record, and where. */
export function worldOf(record: Json | WorldRecord): World | { problem: string } {
  if (record === null || typeof record !== 'object') return { problem: 'the world is not an object' };
  const known = worlds.get(record);
  if (known) return known;
  const problem = problemWithRecord(record as JsonObject);
  // A record without problems has the shape of one.
  const world = problem === undefined ? compile(record as unknown as WorldRecord) : { problem };
  worlds.set(record, world);
  return world;
}

/** The world of a record that is known to be one. */
export function soundWorld(record: WorldRecord): World {
  const world = worldOf(record);
  if ('problem' in world) throw new Error(`World ${record.id}: ${world.problem}`);
  return world;
}

function compile(record: WorldRecord): World {
  const { goal } = record;
  const accepted = new Map(Object.entries(record.can).map(([type, types]) => [type, new Set(types)]));
  const receptacles = record.receptacles.map(([name, type, at, openable]) => ({
    name,
    type,
    at,
    openable: openable !== 0,
    goTo: `go to ${name}`,
    accepts: Uint8Array.from(record.objects, ([, objectType]) => (accepted.get(type)?.has(objectType) ? 1 : 0)),
  }));
  const objects = record.objects.map(([name, type], index) => ({
    name,
    type,
    isKnife: type === 'knife' || type === 'butterknife',
    holds: record.inside
      .filter(([, outer]) => outer === index)
      .map(([inner]) => inner)
      .sort((a, b) => a - b),
  }));
  const locations = 1 + Math.max(record.start, ...receptacles.map((r) => r.at), ...record.objects.map((o) => o[2]));
  const receptaclesByName = byName(receptacles);
  const placesOf = (order: readonly number[]) => {
    const places: number[][] = Array.from({ length: locations }, () => []);
    for (const r of order) places[receptacles[r]!.at]!.push(r);
    return places;
  };
  const ofType = (things: readonly { type: string }[], type: string | undefined) =>
    things.flatMap((thing, index) => (thing.type === type ? [index] : []));
  return {
    record,
    goal,
    receptacles,
    objects,
    receptacleNamed: new Map(receptacles.map(({ name }, index) => [name, index])),
    objectNamed: new Map(objects.map(({ name }, index) => [name, index])),
    placesAt: placesOf(receptacles.map((_, index) => index)),
    placesAtByName: placesOf(receptaclesByName),
    receptaclesByName,
    objectsByName: byName(objects),
    locations,
    flags: record.objects.map(([, , , , letters]) => flagBits(letters)),
    objectAt: record.objects.map(([, , at]) => at),
    inside: record.objects.map(([, , , places]) => [...new Set(places)]),
    start: record.start,
    goalObjects: ofType(objects, goal.object),
    goalReceptacles: goal.kind === 'look' ? [] : ofType(receptacles, goal.receptacle),
    goalLamps: goal.kind === 'look' ? ofType(objects, goal.lamp) : [],
  };
}

const byName = (things: readonly { name: string }[]): number[] =>
  things.map((_, index) => index).sort((a, b) => (things[a]!.name < things[b]!.name ? -1 : 1));

/** The first thing that is wrong with a record, with its place. */
function problemWithRecord(record: JsonObject): string | undefined {
  if (Array.isArray(record)) return 'the world is not an object';
  if (typeof record.id !== 'string') return 'id: expected a text';
  if (typeof record.task !== 'string') return 'task: expected a sentence';
  const goal = readGoal(record.goal ?? null);
  if ('problem' in goal) return `goal: ${goal.problem}`;
  if (!isLocation(record.start)) return 'start: expected a location, a number from 0 on';
  const { receptacles, objects, inside, can } = record;
  if (!Array.isArray(receptacles) || receptacles.length === 0) return 'receptacles: expected a list of them';
  if (receptacles.length > MAX_RECEPTACLES) return `receptacles: more than ${MAX_RECEPTACLES}`;
  if (!Array.isArray(objects)) return 'objects: expected a list of them';
  if (objects.length > MAX_OBJECTS) return `objects: more than ${MAX_OBJECTS}`;
  return (
    firstProblem('receptacles', receptacles, receptacleProblem) ??
    firstProblem('objects', objects, (row) => objectProblem(row, receptacles.length)) ??
    insideProblem(inside, objects.length) ??
    canProblem(can) ??
    catalogueProblem(record.catalogue)
  );
}

function firstProblem(
  list: string,
  rows: readonly Json[],
  problemWith: (row: Json[]) => string | undefined,
): string | undefined {
  const names = new Set<Json>();
  for (const [index, row] of rows.entries()) {
    const place = `${list}.${index}`;
    if (!Array.isArray(row)) return `${place}: expected a list`;
    const problem = problemWith(row);
    if (problem !== undefined) return `${place}: ${problem}`;
    if (names.has(row[0]!)) return `${place}: there is another ${row[0]}`;
    names.add(row[0]!);
  }
  return undefined;
}

function receptacleProblem([name, type, at, openable]: Json[]): string | undefined {
  if (!isName(name)) return 'the name is not a class and a number';
  if (typeof type !== 'string') return 'the type is not a text';
  if (!isLocation(at)) return 'the location is not a number from 0 on';
  return openable === 0 || openable === 1 ? undefined : 'openable is neither 0 nor 1';
}

function objectProblem([name, type, at, inside, flags]: Json[], receptacles: number): string | undefined {
  if (!isName(name)) return 'the name is not a class and a number';
  if (typeof type !== 'string') return 'the type is not a text';
  if (at !== -1 && !isLocation(at)) return 'the location is neither -1 nor a number from 0 on';
  if (!Array.isArray(inside) || !inside.every((r) => isIndex(r, receptacles))) return 'it is in no such receptacle';
  if (typeof flags !== 'string' || flags.length > LETTERS.length) return 'the flags are not letters';
  return [...flags].every((letter) => LETTERS.includes(letter)) ? undefined : `the flags are none of ${LETTERS}`;
}

function insideProblem(inside: Json | undefined, objects: number): string | undefined {
  if (!Array.isArray(inside)) return 'inside: expected a list of pairs';
  const bad = inside.findIndex(
    (pair) => !Array.isArray(pair) || pair.length !== 2 || !pair.every((index) => isIndex(index, objects)),
  );
  return bad < 0 ? undefined : `inside.${bad}: expected the indexes of two objects`;
}

function canProblem(can: Json | undefined): string | undefined {
  if (!isObject(can)) return 'can: expected lists of types by type';
  for (const [type, types] of Object.entries(can)) {
    if (!Array.isArray(types) || !types.every((t) => typeof t === 'string'))
      return `can.${type}: expected a list of types`;
  }
  return undefined;
}

function catalogueProblem(catalogue: Json | undefined): string | undefined {
  if (catalogue === undefined) return undefined;
  if (!isObject(catalogue) || !isObject(catalogue.objects) || !isObject(catalogue.receptacles)) {
    return 'catalogue: expected objects and receptacles by class';
  }
  const isThing = (thing: Json, field: string, type: string) =>
    isObject(thing) && typeof thing.type === 'string' && typeof thing[field] === type;
  const sound =
    Object.values(catalogue.objects).every((thing) => isThing(thing, 'flags', 'string')) &&
    Object.values(catalogue.receptacles).every((thing) => isThing(thing, 'openable', 'boolean'));
  return sound ? undefined : 'catalogue: expected a type and its abilities for each class';
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isLocation = (value: Json | undefined): value is number => isIndex(value, 10_000);

const isIndex = (value: Json | undefined, end: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < end;

/** A class and a number with one space between: lists of commands are in order without sorting because all names are. */
const isName = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length <= 80 && /^[a-z][a-z0-9_-]* [1-9][0-9]*$/.test(value);
