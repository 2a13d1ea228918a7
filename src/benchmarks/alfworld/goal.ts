/** What a game is about: the six kinds of goal, the sentences that ask for them, and when they are reached. */
import type { Json } from '../../core/types.ts';
import { FLAGS } from './flags.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

export type Goal =
  | { kind: 'place' | 'clean' | 'heat' | 'cool' | 'two'; object: string; receptacle: string }
  | { kind: 'look'; object: string; lamp: string };

export type GoalKind = Goal['kind'];

export const GOAL_KINDS: readonly GoalKind[] = ['place', 'look', 'clean', 'heat', 'cool', 'two'];

/** What the official files call the kinds of task. */
export const TASK_TYPES: Readonly<Record<GoalKind, string>> = {
  place: 'pick_and_place_simple',
  look: 'look_at_obj_in_light',
  clean: 'pick_clean_then_place_in_recep',
  heat: 'pick_heat_then_place_in_recep',
  cool: 'pick_cool_then_place_in_recep',
  two: 'pick_two_obj_and_place',
};

export function readGoal(value: Json): Goal | { problem: string } {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { problem: 'expected an object' };
  const { kind, object, receptacle, lamp } = value;
  if (!GOAL_KINDS.some((known) => known === kind)) return { problem: `the kind is none of ${GOAL_KINDS.join(', ')}` };
  if (typeof object !== 'string') return { problem: 'object: expected a type of object' };
  if (kind === 'look') {
    return typeof lamp === 'string' ? { kind, object, lamp } : { problem: 'lamp: expected a type of lamp' };
  }
  if (typeof receptacle !== 'string') return { problem: 'receptacle: expected a type of receptacle' };
  return { kind: kind as Exclude<GoalKind, 'look'>, object, receptacle };
}

export type Treatment = 'clean' | 'heat' | 'cool';

/** The flag that each treatment needs, and the one that it leaves. */
export const TREATMENTS: Readonly<Record<Treatment, { able: number; done: number }>> = {
  clean: { able: FLAGS.cleanable, done: FLAGS.clean },
  heat: { able: FLAGS.heatable, done: FLAGS.hot },
  cool: { able: FLAGS.coolable, done: FLAGS.cool },
};

/** Where things are cleaned, heated and cooled. */
export const treats = (treatment: Treatment, receptacleType: string): boolean => {
  if (treatment === 'heat') return receptacleType === 'microwave';
  if (treatment === 'cool') return receptacleType === 'fridge';
  return receptacleType === 'sinkbasin' || receptacleType === 'sink';
};

export function isReached(world: World, state: State): boolean {
  const { goal, goalObjects, receptacles } = world;
  if (goal.kind === 'look') return isLit(world, state);
  if (goal.kind === 'two') return world.goalReceptacles.some((r) => countIn(world, state, r) >= 2);
  const wanted = wantedFlags(goal.kind);
  for (const object of goalObjects) {
    if ((state.flags[object]! & wanted) !== wanted) continue;
    for (const r of state.inside[object]!) if (receptacles[r]!.type === goal.receptacle) return true;
  }
  return false;
}

/** The flags that an object must have to count. */
export const wantedFlags = (kind: GoalKind): number =>
  kind === 'clean' || kind === 'heat' || kind === 'cool' ? TREATMENTS[kind].able | TREATMENTS[kind].done : 0;

/** How many objects of the goal's type a receptacle holds. */
export function countIn({ goalObjects }: World, state: State, receptacle: number): number {
  let count = 0;
  for (const object of goalObjects) if (state.inside[object]!.includes(receptacle)) count++;
  return count;
}

const LIT = FLAGS.toggleable | FLAGS.toggled;

function isLit({ goalObjects, goalLamps, receptacles }: World, state: State): boolean {
  if (state.held < 0 || !goalObjects.includes(state.held)) return false;
  return goalLamps.some(
    (lamp) => (state.flags[lamp]! & LIT) === LIT && state.inside[lamp]!.some((r) => receptacles[r]!.at === state.at),
  );
}

/** The two ways in which the official games ask for each kind of goal. */
export function taskSentences(goal: Goal): [string, string] {
  const { object } = goal;
  if (goal.kind === 'look')
    return [`look at ${object} under the ${goal.lamp}`, `examine the ${object} with the ${goal.lamp}`];
  const { receptacle } = goal;
  switch (goal.kind) {
    case 'place':
      return [`put a ${object} in ${receptacle}`, `put some ${object} on ${receptacle}`];
    case 'two':
      return [`put two ${object} in ${receptacle}`, `find two ${object} and put them in ${receptacle}`];
    case 'clean':
    case 'heat':
    case 'cool': {
      const adjective = { clean: 'clean', heat: 'hot', cool: 'cool' }[goal.kind];
      return [
        `put a ${adjective} ${object} in ${receptacle}`,
        `${goal.kind} some ${object} and put it in ${receptacle}`,
      ];
    }
    default:
      return goal satisfies never;
  }
}

export const taskSentence = (goal: Goal): string => `Your task is to: ${taskSentences(goal)[0]}.`;
