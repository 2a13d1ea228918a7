/** The walkthroughs taken apart into steps, and how far each step can be known from what has been read before it. */
import { isReachable, readCommand } from './action.ts';
import type { Game } from './data.ts';
import { FLAGS } from './flags.ts';
import { step } from './play.ts';
import { copyState, initialState, type State } from './state.ts';
import { introduction } from './text.ts';
import type { World } from './world.ts';

export interface Step {
  /** `<game>#<number of the step, from 1>` */
  id: string;
  game: Game;
  /** What was read and done before, and what is read now: one observation more than actions. */
  observations: readonly string[];
  actions: readonly string[];
  target: string;
  choice: Choice;
  /** The state in which the action is chosen. Not to be played in: copy it. */
  state: State;
}

/**
 * Whether the next step follows from the text. A planner that sees the whole room wrote the walkthroughs, and a reader
 * cannot know where it went to find what nobody has seen (`unseen`), nor which of several like targets (`receptacle`) or like
 * objects (`object`) it chose.
 */
export type Choice = 'determined' | 'unseen' | 'receptacle' | 'object';

export function stepsOf(game: Game): Step[] {
  const { world, walkthrough } = game;
  const state = initialState(world);
  const observations = [introduction(world, state)];
  const visited = new Set<number>();
  return walkthrough.map((target, index) => {
    const before = copyState(state);
    const choice = choiceOf(world, before, target, visited);
    observations.push(step(world, state, target));
    return {
      id: `${game.id}#${index + 1}`,
      game,
      observations: observations.slice(0, index + 1),
      actions: walkthrough.slice(0, index),
      target,
      choice,
      state: before,
    };
  });
}

/** A place that is gone to is remembered as visited. */
function choiceOf(world: World, state: State, command: string, visited: Set<number>): Choice {
  const action = readCommand(world, state, command, 'new');
  if (action?.verb === 'take') return likeTakings(world, state, action.object) > 1 ? 'object' : 'determined';
  if (action?.verb !== 'go') return 'determined';
  const { receptacle } = action;
  if (visited.has(receptacle)) return 'determined';
  visited.add(receptacle);
  // With the object in hand only the lamp can be unseen.
  if (state.held < 0 || world.goal.kind === 'look') return 'unseen';
  const { type } = world.receptacles[receptacle]!;
  return world.receptacles.filter((other) => other.type === type).length > 1 ? 'receptacle' : 'determined';
}

/** Ways to take an object of the same type here. One that lies in two places at once can be taken from either. */
function likeTakings(world: World, state: State, object: number): number {
  const { type } = world.objects[object]!;
  let count = 0;
  for (const [other, { type: otherType }] of world.objects.entries()) {
    if (otherType !== type || (state.flags[other]! & FLAGS.pickupable) === 0) continue;
    for (const r of state.inside[other]!) {
      if (world.receptacles[r]!.at === state.at && isReachable(world, state, r)) count++;
    }
  }
  return count;
}
