/** The verdicts: one step against the walkthrough's, and a whole game by playing it. */
import type { Dialect } from './action.ts';
import { actionOf, inDialect, normalise } from './answer.ts';
import { distance } from './plan.ts';
import { isAdmissible, isOver, step } from './play.ts';
import { copyState, initialState, type State } from './state.ts';
import type { World } from './world.ts';

export interface StepVerdict {
  /** What the reply was taken to mean. */
  action: string;
  correct: boolean;
}

/** Exact match of the normalised action; nothing is never right. */
export function scoreStep(reply: string, target: string): StepVerdict {
  const action = actionOf(reply);
  return { action, correct: action !== '' && action === normalise(target) };
}

/** Whether an action is possible, and whether a shortest plan can begin with it. */
export function effectOf(world: World, state: State, action: string): { admissible: boolean; progress: boolean } {
  if (!isAdmissible(world, state, action)) return { admissible: false, progress: false };
  const before = distance(world, state);
  const after = copyState(state);
  step(world, after, action);
  const left = distance(world, after);
  return { admissible: true, progress: before !== undefined && left !== undefined && left < before };
}

export interface Playback {
  observations: string[];
  won: boolean;
  /** The steps taken until it was won, or all of them. */
  steps: number;
}

/** Plays commands exactly as they are written, all of them. */
export function playCommands(world: World, commands: Iterable<string>, dialect: Dialect = 'new'): Playback {
  const state = initialState(world);
  const observations: string[] = [];
  let steps = 0;
  for (const command of commands) {
    if (!state.won) steps++;
    observations.push(step(world, state, command, dialect));
  }
  return { observations, won: state.won, steps };
}

/** Plays the actions in replies until the game is won or its steps are used up. */
export function playReplies(world: World, replies: Iterable<string>, dialect: Dialect = 'new'): Playback {
  const state = initialState(world);
  const observations: string[] = [];
  for (const reply of replies) {
    if (isOver(state)) break;
    observations.push(step(world, state, inDialect(actionOf(reply), dialect), dialect));
  }
  return { observations, won: state.won, steps: state.steps };
}
