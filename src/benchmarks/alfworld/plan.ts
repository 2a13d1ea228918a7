/**
 * The shortest plan from a state to the goal, by iterative deepening on what matters. Nothing else can shorten a plan:
 * only objects of the goal's type are taken, doors are never closed, and a way is gone only to do something at its end.
 * Places that hold nothing of interest are alike, so one of each kind stands for all.
 */
import { type Action, apply } from './action.ts';
import { type Prospects, prospectsOf, stepsAtLeast } from './estimate.ts';
import { FLAGS } from './flags.ts';
import { isReached } from './goal.ts';
import { commandFor } from './play.ts';
import { copyState, type State } from './state.ts';
import type { World } from './world.ts';

/** No plan is longer: emptying the hand and fetching two objects takes five visits of at most three steps. */
const LONGEST_PLAN = 15;

/** The commands of a shortest plan; none when the goal is reached, undefined when it is out of reach. */
export function shortestPlan(world: World, state: State): string[] | undefined {
  const prospects = prospectsFor(world);
  const start = stepsAtLeast(prospects, state);
  if (start === Number.POSITIVE_INFINITY) return undefined;
  for (let limit = start; limit <= LONGEST_PLAN; limit++) {
    const actions = deepen(prospects, state, limit);
    if (actions) return actions.map((action) => commandFor(world, action));
  }
  return undefined;
}

/** How many steps a shortest plan takes; undefined when there is none. */
export const distance = (world: World, state: State): number | undefined => shortestPlan(world, state)?.length;

const known = new WeakMap<World, Prospects>();

function prospectsFor(world: World): Prospects {
  const prospects = known.get(world) ?? prospectsOf(world);
  known.set(world, prospects);
  return prospects;
}

/** Actions that reach the goal within the limit. */
function deepen(prospects: Prospects, state: State, limit: number): Action[] | undefined {
  const { world } = prospects;
  if (isReached(world, state)) return [];
  for (const deed of deeds(prospects, state)) {
    const actions = visit(world, state, deed);
    if (actions.length > limit) continue;
    const next = copyState(state);
    for (const action of actions) apply(world, next, action);
    const left = limit - actions.length;
    if (stepsAtLeast(prospects, next) > left) continue;
    const rest = deepen(prospects, next, left);
    if (rest) return [...actions, ...rest];
  }
  return undefined;
}

/** Something to do at a receptacle; undefined is to be there, which the goal of looking can ask for. */
interface Deed {
  at: number;
  action?: Action;
}

/** A deed with the way to it and the door before it. */
function visit(world: World, state: State, { at, action }: Deed): Action[] {
  const actions: Action[] = [];
  const { at: location, openable } = world.receptacles[at]!;
  if (location !== state.at) actions.push({ verb: 'go', receptacle: at });
  if (!action) return actions;
  const reaches = action.verb === 'take' || action.verb === 'move';
  if (reaches && openable && state.open[at] === 0) actions.push({ verb: 'open', receptacle: at });
  return [...actions, action];
}

function deeds(prospects: Prospects, state: State): Deed[] {
  const { goal } = prospects.world;
  const found =
    state.held < 0 ? takings(prospects, state) : [...treatings(prospects, state), ...puttings(prospects, state)];
  return goal.kind === 'look' ? [...found, ...lightings(prospects.world, state)] : found;
}

/** Objects that lie in the same places in the same condition are alike. */
function takings({ world, wanted }: Prospects, state: State): Deed[] {
  const found: Deed[] = [];
  const seen = new Set<string>();
  for (const object of world.goalObjects) {
    if ((state.flags[object]! & FLAGS.pickupable) === 0) continue;
    for (const receptacle of state.inside[object]!) {
      const like = `${receptacle} ${state.inside[object]!.join()} ${state.flags[object]! & wanted}`;
      if (seen.has(like)) continue;
      seen.add(like);
      found.push({ at: receptacle, action: { verb: 'take', object, receptacle } });
    }
  }
  return found;
}

function treatings({ world, appliances, wanted, able }: Prospects, state: State): Deed[] {
  const { kind } = world.goal;
  const object = state.held;
  if (kind !== 'clean' && kind !== 'heat' && kind !== 'cool') return [];
  if (!world.goalObjects.includes(object) || (state.flags[object]! & able) !== able) return [];
  if ((state.flags[object]! & wanted) === wanted) return [];
  return appliances.map((receptacle) => ({ at: receptacle, action: { verb: kind, object, receptacle } }));
}

/** Where to put what is held: any place of interest, and of the others one target and one that is none, doors open first. */
function puttings(prospects: Prospects, state: State): Deed[] {
  const { world } = prospects;
  const { receptacles, goalReceptacles } = world;
  const object = state.held;
  // In the light of the lamp an object must be held.
  if (world.goal.kind === 'look' && world.goalObjects.includes(object)) return [];
  const interesting = placesOfInterest(prospects, state);
  const places: number[] = [];
  const plain: (number | undefined)[] = [undefined, undefined];
  for (const [r, { accepts, at }] of receptacles.entries()) {
    if (accepts[object] === 0) continue;
    if (interesting[at] === 1) {
      places.push(r);
      continue;
    }
    const kind = goalReceptacles.includes(r) ? 1 : 0;
    const other = plain[kind];
    if (other === undefined || (isClosed(world, state, other) && !isClosed(world, state, r))) plain[kind] = r;
  }
  for (const r of plain) if (r !== undefined) places.push(r);
  return places.map((receptacle) => ({ at: receptacle, action: { verb: 'move', object, receptacle } }));
}

const isClosed = (world: World, state: State, r: number): boolean =>
  world.receptacles[r]!.openable && state.open[r] === 0;

/** Locations where the agent is, where goal objects and lamps are, and where things are treated. */
function placesOfInterest({ world, treatsAt }: Prospects, state: State): Uint8Array {
  const marks = treatsAt.slice();
  marks[state.at] = 1;
  for (const object of [...world.goalObjects, ...world.goalLamps]) {
    for (const r of state.inside[object]!) marks[world.receptacles[r]!.at] = 1;
  }
  return marks;
}

function lightings(world: World, state: State): Deed[] {
  return world.goalLamps.flatMap((lamp): Deed[] => {
    if ((state.flags[lamp]! & FLAGS.toggleable) === 0) return [];
    const isOn = (state.flags[lamp]! & FLAGS.toggled) !== 0;
    return state.inside[lamp]!.flatMap((at): Deed[] => {
      if (!isOn) return [{ at, action: { verb: 'use', object: lamp } }];
      return world.receptacles[at]!.at === state.at ? [] : [{ at }];
    });
  });
}
