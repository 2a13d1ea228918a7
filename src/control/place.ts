/**
 * Where in a run a change takes effect. A phase lists its items once and a resumed run lists them again, so nothing that
 * decides the list may change inside it: every change waits for a boundary.
 */
import { type Cursor, PHASES, type Phase } from '../core/journal.ts';
import type { ControlAction } from './action.ts';

export interface Place {
  epoch: number;
  phase: Phase;
}

const FIRST: Phase = 'generate';

/** The phase after the one of the cursor, whether that is finished or not. */
export function afterPhase({ epoch, phase }: Place): Place {
  const next = PHASES[PHASES.indexOf(phase) + 1];
  return next ? { epoch, phase: next } : { epoch: epoch + 1, phase: FIRST };
}

/** What is being played, or comes next where a phase has just been finished. */
export const playing = (cursor: Cursor): Place => (cursor.done < cursor.units ? cursor : afterPhase(cursor));

export const isReached = (place: Place, now: Place): boolean =>
  place.epoch < now.epoch || (place.epoch === now.epoch && PHASES.indexOf(place.phase) <= PHASES.indexOf(now.phase));

/** From where an action that is accepted at a cursor holds. */
export function effectiveFrom(action: Extract<ControlAction, { kind: 'set' | 'ban' }>, cursor: Cursor): Place {
  const next = afterPhase(cursor);
  if (action.kind === 'ban') return { epoch: cursor.epoch + 1, phase: FIRST };
  switch (action.setting) {
    case 'alpha':
      // Seeds are drawn by it, and drawn again to learn from: it is one number for a whole epoch.
      return { epoch: cursor.epoch + 1, phase: FIRST };
    case 'epochs':
      return next;
    case 'agent.learningRate':
      return nextUpdate(next, 'updateAgent');
    case 'environment.learningRate':
      return nextUpdate(next, 'updateEnv');
    default:
      return action.setting satisfies never;
  }
}

/** Before the first epoch nobody learns. */
function nextUpdate(from: Place, phase: Phase): Place {
  const passed = from.epoch === 0 || PHASES.indexOf(from.phase) > PHASES.indexOf(phase);
  return { epoch: passed ? from.epoch + 1 : from.epoch, phase };
}
