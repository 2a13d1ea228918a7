/** Playing a game: one command at a time, and the list of commands that would do something. */
import { type Action, apply, type Dialect, isInSomethingHere, isPossible, isReachable, readCommand } from './action.ts';
import { FLAGS } from './flags.ts';
import { isReached, TREATMENTS, type Treatment, treats } from './goal.ts';
import type { State } from './state.ts';
import { NOTHING_HAPPENS, observation } from './text.ts';
import type { World } from './world.ts';

/** The usual cap on an episode. Commands that do nothing count. */
export const MAX_STEPS = 50;

/** Carries out one command and says what is seen. What is not admissible changes nothing but the count of steps. */
export function step(world: World, state: State, command: string, dialect: Dialect = 'new'): string {
  const action = readCommand(world, state, command, dialect);
  const possible = action !== undefined && isPossible(world, state, action);
  if (possible) apply(world, state, action);
  state.steps++;
  if (!state.won && isReached(world, state)) state.won = true;
  return possible ? observation(world, state, action, dialect) : NOTHING_HAPPENS;
}

export function isAdmissible(world: World, state: State, command: string, dialect: Dialect = 'new'): boolean {
  const action = readCommand(world, state, command, dialect);
  return action !== undefined && isPossible(world, state, action);
}

/** A game is over when it is won, or after so many steps. */
export const isOver = ({ won, steps }: State): boolean => won || steps >= MAX_STEPS;

/**
 * The admissible commands by code point. Verbs are gone through in their order and names in theirs, so that nothing needs
 * sorting: a space comes before whatever a longer name goes on with.
 */
export function admissible(world: World, state: State, dialect: Dialect = 'new'): string[] {
  const { receptacles, objects } = world;
  const here = world.placesAtByName[state.at]!;
  const { held } = state;
  const commands: string[] = [];
  const treat = (treatment: Treatment) => {
    if (held < 0 || (state.flags[held]! & TREATMENTS[treatment].able) === 0) return;
    for (const r of here) {
      if (treats(treatment, receptacles[r]!.type)) {
        commands.push(`${treatment} ${objects[held]!.name} with ${receptacles[r]!.name}`);
      }
    }
  };
  const doors = (verb: 'open' | 'close') => {
    for (const r of here) {
      if (receptacles[r]!.openable && (state.open[r] === 1) === (verb === 'close')) {
        commands.push(`${verb} ${receptacles[r]!.name}`);
      }
    }
  };
  const put = (verb: string, between: string) => {
    if (held < 0) return;
    for (const r of here) {
      if (receptacles[r]!.accepts[held] === 1 && isReachable(world, state, r)) {
        commands.push(`${verb} ${objects[held]!.name} ${between} ${receptacles[r]!.name}`);
      }
    }
  };
  treat('clean');
  doors('close');
  treat('cool');
  commands.push(...examinable(world, state));
  for (const r of world.receptaclesByName) if (receptacles[r]!.at !== state.at) commands.push(receptacles[r]!.goTo);
  treat('heat');
  if (dialect === 'new') commands.push('help');
  commands.push('inventory', 'look');
  if (dialect === 'new') put('move', 'to');
  doors('open');
  if (dialect === 'old') put('put', 'in/on');
  slices(world, state, commands);
  takes(world, state, commands);
  for (const object of world.objectsByName) {
    if ((state.flags[object]! & FLAGS.toggleable) !== 0 && isInSomethingHere(world, state, object)) {
      commands.push(`use ${objects[object]!.name}`);
    }
  }
  return commands;
}

function examinable(world: World, state: State): string[] {
  const names = world.placesAtByName[state.at]!.map((r) => `examine ${world.receptacles[r]!.name}`);
  if (state.held < 0) return names;
  const own = `examine ${world.objects[state.held]!.name}`;
  return names.includes(own) ? names : [...names, own].sort((a, b) => (a < b ? -1 : 1));
}

function slices({ objects, objectsByName }: World, state: State, commands: string[]): void {
  if (state.held < 0 || !objects[state.held]!.isKnife) return;
  for (const object of objectsByName) {
    if ((state.flags[object]! & FLAGS.sliceable) !== 0 && state.objectAt[object] === state.at) {
      commands.push(`slice ${objects[object]!.name} with ${objects[state.held]!.name}`);
    }
  }
}

function takes(world: World, state: State, commands: string[]): void {
  const here = world.placesAtByName[state.at]!;
  if (state.held >= 0 || here.length === 0) return;
  for (const object of world.objectsByName) {
    if ((state.flags[object]! & FLAGS.pickupable) === 0) continue;
    const inside = state.inside[object]!;
    for (const r of here) {
      if (inside.includes(r) && isReachable(world, state, r)) {
        commands.push(`take ${world.objects[object]!.name} from ${world.receptacles[r]!.name}`);
      }
    }
  }
}

/** A command for an action: what readCommand reads back. */
export function commandFor({ receptacles, objects }: World, action: Action, dialect: Dialect = 'new'): string {
  switch (action.verb) {
    case 'look':
    case 'inventory':
    case 'help':
      return action.verb;
    case 'go':
      return receptacles[action.receptacle]!.goTo;
    case 'open':
    case 'close':
    case 'examine':
      return `${action.verb} ${receptacles[action.receptacle]!.name}`;
    case 'take':
      return `take ${objects[action.object]!.name} from ${receptacles[action.receptacle]!.name}`;
    case 'move':
      return dialect === 'new'
        ? `move ${objects[action.object]!.name} to ${receptacles[action.receptacle]!.name}`
        : `put ${objects[action.object]!.name} in/on ${receptacles[action.receptacle]!.name}`;
    case 'clean':
    case 'heat':
    case 'cool':
      return `${action.verb} ${objects[action.object]!.name} with ${receptacles[action.receptacle]!.name}`;
    case 'use':
      return `use ${objects[action.object]!.name}`;
    case 'inspect':
      return `examine ${objects[action.object]!.name}`;
    case 'slice':
      return `slice ${objects[action.object]!.name} with ${objects[action.knife]!.name}`;
    default:
      return action satisfies never;
  }
}
