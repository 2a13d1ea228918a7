/**
 * Scenes: worlds as a simulator writes them, `{"goal": {…}, "room": {"shelf 1": ["mug 1"], …}}`. What the things can do comes
 * from the world that the scene is a variation of.
 */
import type { Json, JsonObject } from '../../core/types.ts';
import { type Catalogue, catalogueOf, classOf } from './catalogue.ts';
import { FLAGS, flagBits, flagLetters } from './flags.ts';
import { type Goal, readGoal, TASK_TYPES, taskSentence, treats } from './goal.ts';
import { shortestPlan } from './plan.ts';
import { initialState } from './state.ts';
import { type ObjectRow, type ReceptacleRow, soundWorld, type World, type WorldRecord } from './world.ts';

export interface Scene {
  goal: Goal;
  /** Receptacle → what is in it. */
  room: Record<string, string[]>;
}

const MAX_PLACES = 60;
const MAX_THINGS = 120;

/** A world as a scene: what lies in no receptacle is left out, and what lies in several is in the first. */
export function sceneOf({ goal, receptacles, objects }: WorldRecord): Scene {
  const room = new Map(receptacles.map(([name]): [string, string[]] => [name, []]));
  for (const [name, , , [place]] of objects) {
    if (place !== undefined) room.get(receptacles[place]![0])!.push(name);
  }
  return { goal, room: Object.fromEntries(room) };
}

/** The world of a scene, checked: well formed, of known kinds, not won from the start, and solvable. */
export function buildScene(value: Json, seed: WorldRecord): World | { problem: string } {
  if (!isObject(value)) return { problem: 'expected {"goal", "room"}' };
  const goal = readGoal(value.goal ?? null);
  if ('problem' in goal) return { problem: `goal: ${goal.problem}` };
  if (!isObject(value.room)) return { problem: 'room: expected receptacles with lists of what is in them' };
  const furnished = furnish(value.room, seed);
  if ('problem' in furnished) return furnished;
  const world = soundWorld({
    id: 'generated',
    task_type: TASK_TYPES[goal.kind],
    task: taskSentence(goal),
    goal,
    ...furnished,
    inside: [],
    start: seed.start,
    can: seed.can,
    catalogue: catalogueOf(seed),
  });
  const plan = shortestPlan(world, initialState(world));
  if (plan === undefined) return { problem: `goal: it cannot be reached, ${obstacle(world)}` };
  return plan.length === 0 ? { problem: 'goal: it is reached before the first step' } : world;
}

type Furniture = Pick<WorldRecord, 'receptacles' | 'objects'>;

function furnish(room: JsonObject, seed: WorldRecord): Furniture | { problem: string } {
  const catalogue = catalogueOf(seed);
  const names = Object.keys(room).sort(asListed);
  if (names.length === 0) return { problem: 'room: there is no receptacle in it' };
  if (names.length > MAX_PLACES) return { problem: `room: more than ${MAX_PLACES} receptacles` };
  const old = new Map(seed.receptacles.map((row) => [row[0], row]));
  let free = 1 + Math.max(seed.start, ...seed.receptacles.map(([, , at]) => at));
  const receptacles: ReceptacleRow[] = [];
  for (const name of names) {
    const kind = kindOf(catalogue.receptacles, name);
    if (!kind) return unknown(`room.${clip(name)}`, 'a receptacle', catalogue.receptacles);
    receptacles.push(old.get(name) ?? [name, kind.type, free++, kind.openable ? 1 : 0]);
  }
  const objects = place(room, receptacles, catalogue, seed);
  return 'problem' in objects ? objects : { receptacles, objects };
}

function place(
  room: JsonObject,
  receptacles: readonly ReceptacleRow[],
  catalogue: Catalogue,
  seed: WorldRecord,
): ObjectRow[] | { problem: string } {
  const lay = new Map(Object.entries(sceneOf(seed).room).flatMap(([at, names]) => names.map((name) => [name, at])));
  const objects = new Map<string, ObjectRow>();
  for (const [r, [at, type, location]] of receptacles.entries()) {
    const things = room[at]!;
    if (!Array.isArray(things)) return { problem: `room.${at}: expected a list of objects` };
    for (const [i, name] of things.entries()) {
      const where = `room.${at}.${i}`;
      if (typeof name !== 'string') return { problem: `${where}: expected the name of an object` };
      const kind = kindOf(catalogue.objects, name);
      if (!kind) return unknown(where, 'an object', catalogue.objects);
      if (objects.has(name)) return { problem: `${where}: ${name} is in the room already` };
      if (objects.size === MAX_THINGS) return { problem: `room: more than ${MAX_THINGS} objects` };
      const flags = flagBits(kind.flags);
      const isLoose = (flags & FLAGS.pickupable) !== 0;
      const fits = !isLoose || ownList(seed.can, type).includes(kind.type) || lay.get(name) === at;
      if (!fits) return { problem: `${where}: a ${kind.type} cannot be put in a ${type}` };
      const chilled = type === 'fridge' && (flags & FLAGS.coolable) !== 0 ? FLAGS.cool : 0;
      objects.set(name, [name, kind.type, location, [r], flagLetters(flags | chilled)]);
    }
  }
  return [...objects.values()].sort(([a], [b]) => asListed(a, b));
}

/** Classes from a to z and numbers downwards: the order in which rooms are described. */
function asListed(a: string, b: string): number {
  const [first, second] = [classOf(a), classOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return numberOf(b) - numberOf(a);
}

const numberOf = (name: string): number => Number(name.slice(name.lastIndexOf(' ') + 1));

/** The kind that a name is of, if it is a name at all. */
function kindOf<T>(kinds: Record<string, T>, name: string): T | undefined {
  const kind = classOf(name);
  return /^[1-9]\d{0,2}$/.test(name.slice(kind.length + 1)) && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}

function unknown(where: string, what: string, kinds: Record<string, unknown>): { problem: string } {
  const known = Object.keys(kinds).sort().join(', ');
  return { problem: `${where}: expected ${what} with a number from 1 to 999, one of ${known}` };
}

/** What stands between a well-formed world and its goal. */
function obstacle({ goal, goalObjects, goalReceptacles, goalLamps, receptacles, flags }: World): string {
  if (goalObjects.length === 0) return `there is no ${goal.object} in the room`;
  if (goalObjects.every((object) => (flags[object]! & FLAGS.pickupable) === 0)) return `no ${goal.object} can be taken`;
  if (goal.kind === 'look') {
    return goalLamps.length === 0 ? `there is no ${goal.lamp} in the room` : `no ${goal.lamp} can be turned on`;
  }
  if (goalReceptacles.length === 0) return `there is no ${goal.receptacle} in the room`;
  if (goalReceptacles.every((r) => goalObjects.every((object) => receptacles[r]!.accepts[object] === 0))) {
    return `a ${goal.object} cannot be put in a ${goal.receptacle}`;
  }
  if (goal.kind === 'two') return `there are not two of ${goal.object}`;
  const { kind } = goal;
  if (kind !== 'place' && !receptacles.some(({ type }) => treats(kind, type)))
    return `there is nothing to ${kind} with`;
  return `nothing can ${kind} a ${goal.object}`;
}

const ownList = (lists: Record<string, string[]>, key: string): string[] =>
  Object.hasOwn(lists, key) ? lists[key]! : [];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const clip = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
