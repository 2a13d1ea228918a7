/** Actions: how commands are read, when they are possible, and what they do to the state. */

import { FLAGS } from './flags.ts';
import { TREATMENTS, type Treatment, treats } from './goal.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

/** Releases before 0.4 put things, and name the location on arrival; those since move things, and have a help. */
export type Dialect = 'old' | 'new';

export type Action =
  | { verb: 'look' | 'inventory' | 'help' }
  | { verb: 'go' | 'open' | 'close' | 'examine'; receptacle: number }
  | { verb: 'take' | 'move' | Treatment; object: number; receptacle: number }
  | { verb: 'use' | 'inspect'; object: number }
  | { verb: 'slice'; object: number; knife: number };

/** No name is longer than 80, and no command has more than two. */
const LONGEST_COMMAND = 200;

/** What a command means; undefined when it means nothing in this world. Only outer whitespace is forgiven. */
export function readCommand(world: World, state: State, command: string, dialect: Dialect): Action | undefined {
  const text = command.trim();
  if (text.length > LONGEST_COMMAND) return undefined;
  const space = text.indexOf(' ');
  const verb = space < 0 ? text : text.slice(0, space);
  const rest = space < 0 ? '' : text.slice(space + 1);
  switch (verb) {
    case 'look':
    case 'inventory':
      return text === verb ? { verb } : undefined;
    case 'help':
      return text === verb && dialect === 'new' ? { verb } : undefined;
    case 'go':
      return rest.startsWith('to ') ? withReceptacle(world, verb, rest.slice(3)) : undefined;
    case 'open':
    case 'close':
      return withReceptacle(world, verb, rest);
    case 'examine':
      return readExamine(world, state, rest);
    case 'take':
      return withBoth(world, verb, rest, ' from ');
    case 'move':
      return dialect === 'new' ? withBoth(world, 'move', rest, ' to ') : undefined;
    case 'put':
      return dialect === 'old' ? withBoth(world, 'move', rest, ' in/on ') : undefined;
    case 'clean':
    case 'heat':
    case 'cool':
      return withBoth(world, verb, rest, ' with ');
    case 'use': {
      const object = world.objectNamed.get(rest);
      return object === undefined ? undefined : { verb, object };
    }
    case 'slice': {
      const at = rest.indexOf(' with ');
      const object = world.objectNamed.get(rest.slice(0, at));
      const knife = world.objectNamed.get(rest.slice(at + 6));
      return at < 0 || object === undefined || knife === undefined ? undefined : { verb, object, knife };
    }
    default:
      return undefined;
  }
}

function withReceptacle(world: World, verb: 'go' | 'open' | 'close', name: string): Action | undefined {
  const receptacle = world.receptacleNamed.get(name);
  return receptacle === undefined ? undefined : { verb, receptacle };
}

function withBoth(world: World, verb: 'take' | 'move' | Treatment, rest: string, between: string): Action | undefined {
  const at = rest.indexOf(between);
  if (at < 0) return undefined;
  const object = world.objectNamed.get(rest.slice(0, at));
  const receptacle = world.receptacleNamed.get(rest.slice(at + between.length));
  return object === undefined || receptacle === undefined ? undefined : { verb, object, receptacle };
}

/** A receptacle and an object may share a name; the one that can be examined is meant. */
function readExamine(world: World, state: State, name: string): Action | undefined {
  const receptacle = world.receptacleNamed.get(name);
  if (receptacle !== undefined && world.receptacles[receptacle]!.at === state.at)
    return { verb: 'examine', receptacle };
  const object = world.objectNamed.get(name);
  return object === undefined ? undefined : { verb: 'inspect', object };
}

/** Whether an action is among the admissible ones. */
export function isPossible(world: World, state: State, action: Action): boolean {
  switch (action.verb) {
    case 'look':
    case 'inventory':
    case 'help':
      return true;
    case 'go':
      return world.receptacles[action.receptacle]!.at !== state.at;
    case 'examine':
      return isHere(world, state, action.receptacle);
    case 'open':
    case 'close':
      return (
        isHere(world, state, action.receptacle) &&
        world.receptacles[action.receptacle]!.openable &&
        (state.open[action.receptacle] === 1) === (action.verb === 'close')
      );
    case 'take':
      return (
        state.held < 0 &&
        isHere(world, state, action.receptacle) &&
        isReachable(world, state, action.receptacle) &&
        (state.flags[action.object]! & FLAGS.pickupable) !== 0 &&
        state.inside[action.object]!.includes(action.receptacle)
      );
    case 'move':
      return (
        state.held === action.object &&
        isHere(world, state, action.receptacle) &&
        isReachable(world, state, action.receptacle) &&
        world.receptacles[action.receptacle]!.accepts[action.object] === 1
      );
    case 'clean':
    case 'heat':
    case 'cool':
      return (
        state.held === action.object &&
        (state.flags[action.object]! & TREATMENTS[action.verb].able) !== 0 &&
        isHere(world, state, action.receptacle) &&
        treats(action.verb, world.receptacles[action.receptacle]!.type)
      );
    case 'use':
      return (state.flags[action.object]! & FLAGS.toggleable) !== 0 && isInSomethingHere(world, state, action.object);
    case 'inspect':
      return state.held === action.object;
    case 'slice':
      return (
        state.held === action.knife &&
        world.objects[action.knife]!.isKnife &&
        (state.flags[action.object]! & FLAGS.sliceable) !== 0 &&
        state.objectAt[action.object] === state.at
      );
    default:
      return action satisfies never;
  }
}

const isHere = (world: World, state: State, receptacle: number): boolean =>
  world.receptacles[receptacle]!.at === state.at;

/** Whether a hand can reach in. */
export const isReachable = (world: World, state: State, receptacle: number): boolean =>
  !world.receptacles[receptacle]!.openable || state.open[receptacle] === 1;

/** Behind a closed door too: a lamp in a cabinet can be used. */
export function isInSomethingHere(world: World, state: State, object: number): boolean {
  for (const r of state.inside[object]!) if (world.receptacles[r]!.at === state.at) return true;
  return false;
}

/** Changes the state as a possible action does. */
export function apply(world: World, state: State, action: Action): void {
  switch (action.verb) {
    case 'go':
      state.at = world.receptacles[action.receptacle]!.at;
      return;
    case 'open':
    case 'close':
      state.open[action.receptacle] = action.verb === 'open' ? 1 : 0;
      return;
    case 'take': {
      const { object, receptacle } = action;
      state.inside[object] = state.inside[object]!.filter((r) => r !== receptacle);
      state.takenFrom = [...state.takenFrom, object * world.receptacles.length + receptacle];
      state.held = object;
      if (state.objectAt[object] === state.at) state.objectAt[object] = -1;
      return;
    }
    case 'move': {
      const { object, receptacle } = action;
      const taken = object * world.receptacles.length + receptacle;
      if (!state.inside[object]!.includes(receptacle)) state.inside[object] = [...state.inside[object]!, receptacle];
      if (state.takenFrom.includes(taken)) state.takenFrom = state.takenFrom.filter((pair) => pair !== taken);
      state.objectAt[object] = state.at;
      state.held = -1;
      return;
    }
    case 'clean':
      state.flags[action.object]! |= FLAGS.clean;
      return;
    case 'heat':
      state.flags[action.object] = (state.flags[action.object]! | FLAGS.hot) & ~FLAGS.cool;
      return;
    case 'cool':
      state.flags[action.object] = (state.flags[action.object]! | FLAGS.cool) & ~FLAGS.hot;
      return;
    case 'use':
      state.flags[action.object]! |= FLAGS.toggled;
      return;
    case 'slice':
      state.flags[action.object]! |= FLAGS.sliced;
      return;
    case 'look':
    case 'inventory':
    case 'help':
    case 'examine':
    case 'inspect':
      return;
    default:
      action satisfies never;
  }
}
