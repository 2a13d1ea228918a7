/**
 * What changes while a game is played. Small, and cheap to copy: search copies it thousands of times. Plain lists copy several
 * times faster than typed ones of this size.
 */
import type { World } from './world.ts';

export interface State {
  /** Where the agent is. */
  at: number;
  /** The object in its hand; -1 for none. */
  held: number;
  /** Per receptacle: 1 for open. */
  open: number[];
  /** Per object: what can be done to it and what has been (FLAGS). */
  flags: number[];
  /** Per object: its location; -1 for none. */
  objectAt: number[];
  /** Per object: the receptacles it is in. Copied on write. */
  inside: (readonly number[])[];
  /** `object * receptacles + receptacle` for each object that was taken from there and not put back. Copied on write. */
  takenFrom: readonly number[];
  steps: number;
  /** Whether the goal has ever been reached. */
  won: boolean;
}

export const initialState = ({ start, receptacles, flags, objectAt, inside }: World): State => ({
  at: start,
  held: -1,
  open: receptacles.map(() => 0),
  flags: flags.slice(),
  objectAt: objectAt.slice(),
  inside: inside.slice(),
  takenFrom: [],
  steps: 0,
  won: false,
});

export const copyState = (state: State): State => ({
  at: state.at,
  held: state.held,
  open: state.open.slice(),
  flags: state.flags.slice(),
  objectAt: state.objectAt.slice(),
  inside: state.inside.slice(),
  takenFrom: state.takenFrom,
  steps: state.steps,
  won: state.won,
});
