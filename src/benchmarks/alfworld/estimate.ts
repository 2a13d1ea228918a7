/**
 * A lower bound on the steps that are left to the goal, and whether it can be reached at all. The bound counts what must be
 * done to the easiest choice of objects: empty the hand, take, treat, put, with the doors and the ways that cannot be avoided.
 */
import { FLAGS } from './flags.ts';
import { countIn, isReached, TREATMENTS, treats, wantedFlags } from './goal.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

/** What stays the same during one search. */
export interface Prospects {
  readonly world: World;
  /** Receptacles that clean, heat or cool what this goal wants so. */
  readonly appliances: readonly number[];
  /** Per location: whether something there treats, or is a target. */
  readonly treatsAt: Uint8Array;
  readonly targetAt: Uint8Array;
  readonly wanted: number;
  readonly able: number;
}

export function prospectsOf(world: World): Prospects {
  const { goal, receptacles, goalReceptacles, locations } = world;
  const { kind } = goal;
  const treatment = kind === 'clean' || kind === 'heat' || kind === 'cool' ? kind : undefined;
  const appliances = treatment ? receptacles.flatMap(({ type }, r) => (treats(treatment, type) ? [r] : [])) : [];
  const at = (places: readonly number[]) => {
    const marks = new Uint8Array(locations);
    for (const r of places) marks[receptacles[r]!.at] = 1;
    return marks;
  };
  return {
    world,
    appliances,
    treatsAt: at(appliances),
    targetAt: at(goalReceptacles),
    wanted: wantedFlags(kind),
    able: treatment ? TREATMENTS[treatment].able : 0,
  };
}

/** Infinity when the goal is out of reach for good. */
export function stepsAtLeast(prospects: Prospects, state: State): number {
  const { world } = prospects;
  if (isReached(world, state)) return 0;
  if (world.goal.kind === 'look') return lookBound(world, state);
  return world.goal.kind === 'two' ? twoBound(world, state) : placeBound(prospects, state);
}

/** Whether anything takes this object: a hand that holds one which nothing takes is full for ever. */
export const canBePut = ({ receptacles }: World, object: number): boolean =>
  receptacles.some(({ accepts }) => accepts[object] === 1);

const canBeTaken = (state: State, object: number): boolean =>
  (state.flags[object]! & FLAGS.pickupable) !== 0 && state.inside[object]!.length > 0;

const isHere = (world: World, state: State, places: readonly number[]): boolean =>
  places.some((r) => world.receptacles[r]!.at === state.at);

const allClosed = ({ receptacles }: World, state: State, places: readonly number[]): boolean =>
  places.every((r) => receptacles[r]!.openable && state.open[r] === 0);

/** The hand must be emptied first of anything but the object itself; Infinity when it cannot be. */
function emptying(world: World, state: State, object: number): number {
  if (state.held < 0 || state.held === object) return 0;
  return canBePut(world, state.held) ? 1 : Number.POSITIVE_INFINITY;
}

function placeBound(prospects: Prospects, state: State): number {
  let best = Number.POSITIVE_INFINITY;
  for (const object of prospects.world.goalObjects) best = Math.min(best, placeBoundFor(prospects, state, object));
  return best;
}

function placeBoundFor(prospects: Prospects, state: State, object: number): number {
  const { world, appliances, treatsAt, targetAt, wanted, able } = prospects;
  const { receptacles, goalReceptacles } = world;
  const inside = state.inside[object]!;
  const isHeld = state.held === object;
  if ((state.flags[object]! & able) !== able) return Number.POSITIVE_INFINITY;
  const treat = (state.flags[object]! & wanted) !== wanted;
  if (treat && appliances.length === 0) return Number.POSITIVE_INFINITY;
  const targets = inside.filter((r) => goalReceptacles.includes(r));
  // Taken from one of several places it stays in the others, targets too.
  const stays = targets.length > 0 && (isHeld || inside.length > 1);
  const put = stays ? 0 : 1;
  if (put === 1 && !goalReceptacles.some((r) => receptacles[r]!.accepts[object] === 1)) return Number.POSITIVE_INFINITY;
  let bound = put;
  let from: (location: number) => boolean = (location) => location === state.at;
  if (!isHeld) {
    if (!canBeTaken(state, object)) return Number.POSITIVE_INFINITY;
    bound += emptying(world, state, object) + 1;
    if (!isHere(world, state, inside)) bound++;
    if (allClosed(world, state, inside)) bound++;
    from = (location) => inside.some((r) => receptacles[r]!.at === location);
  }
  if (treat) {
    bound++;
    if (!someLocation(treatsAt, from)) bound++;
    from = (location) => treatsAt[location] === 1;
  }
  if (put === 1) {
    if (!someLocation(targetAt, from)) bound++;
    // A target that it is taken out of has been opened already.
    if (targets.length === 0 && allClosed(world, state, goalReceptacles)) bound++;
  }
  return bound;
}

function someLocation(marks: Uint8Array, test: (location: number) => boolean): boolean {
  for (let location = 0; location < marks.length; location++) if (marks[location] === 1 && test(location)) return true;
  return false;
}

function twoBound(world: World, state: State): number {
  let best = Number.POSITIVE_INFINITY;
  for (const target of world.goalReceptacles) best = Math.min(best, twoBoundFor(world, state, target));
  return best;
}

/** Both in this target. */
function twoBoundFor(world: World, state: State, target: number): number {
  const { receptacles, goalObjects } = world;
  const { at, accepts } = receptacles[target]!;
  const { held } = state;
  const missing = 2 - countIn(world, state, target);
  const isWanted = (object: number) => !state.inside[object]!.includes(target) && accepts[object] === 1;
  const carried = held >= 0 && goalObjects.includes(held) && isWanted(held) ? 1 : 0;
  const others = goalObjects.filter((object) => object !== held && isWanted(object) && canBeTaken(state, object));
  const takes = missing - carried;
  if (others.length < takes) return Number.POSITIVE_INFINITY;
  let bound = missing + takes;
  if (takes > 0 && carried === 0) bound += emptying(world, state, -1);
  if (allClosed(world, state, [target])) bound++;
  // Each way to an object and each way back that standing together does not save.
  const together = others.some((object) => state.inside[object]!.some((r) => receptacles[r]!.at === at));
  if (!together) bound += 2 * takes - 1 + carried;
  const begins = carried === 1 ? state.at === at : others.some((object) => isHere(world, state, state.inside[object]!));
  return begins || (takes === 0 && state.at === at) ? bound : bound + 1;
}

function lookBound(world: World, state: State): number {
  const { goalObjects, goalLamps, receptacles } = world;
  const lamps = goalLamps.filter(
    (lamp) => (state.flags[lamp]! & FLAGS.toggleable) !== 0 && state.inside[lamp]!.some((r) => receptacles[r]),
  );
  if (lamps.length === 0) return Number.POSITIVE_INFINITY;
  let bound = lamps.some((lamp) => (state.flags[lamp]! & FLAGS.toggled) !== 0) ? 0 : 1;
  const isLampHere = lamps.some((lamp) => isHere(world, state, state.inside[lamp]!));
  if (state.held >= 0 && goalObjects.includes(state.held)) return bound + (isLampHere ? 0 : 1);
  const objects = goalObjects.filter((object) => canBeTaken(state, object));
  if (objects.length === 0) return Number.POSITIVE_INFINITY;
  bound += emptying(world, state, -1) + 1;
  return bound + (isLampHere || objects.some((object) => isHere(world, state, state.inside[object]!)) ? 0 : 1);
}
