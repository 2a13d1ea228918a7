/** Walkthroughs replayed: what was read and what was possible before every action. The form of the episode files. */
import type { JsonObject } from '../../core/types.ts';
import { admissible, step } from './play.ts';
import { initialState } from './state.ts';
import { introduction } from './text.ts';
import { soundWorld, type WorldRecord } from './world.ts';

/** An episode of a validation split. */
export function episodeOf(record: WorldRecord): JsonObject {
  const world = soundWorld(record);
  const state = initialState(world);
  let seen = introduction(world, state);
  const steps = (record.walkthrough ?? []).map((action) => {
    const before = { observation: seen, admissible_commands: admissible(world, state), action };
    seen = step(world, state, action);
    return before;
  });
  return { ...header(record), split: record.split ?? '', steps, final_observation: seen, won: state.won };
}

/** An episode of the training split, which leaves out what can be computed again. */
export function trainingEpisodeOf(record: WorldRecord): JsonObject {
  const world = soundWorld(record);
  const state = initialState(world);
  const initial_observation = introduction(world, state);
  const steps = (record.walkthrough ?? []).map((action) => [action, step(world, state, action)]);
  return { ...header(record), initial_observation, steps };
}

const header = ({ id, task_type, task }: WorldRecord): JsonObject => ({ id, task_type: task_type ?? '', task });
