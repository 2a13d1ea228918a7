/** How far a running run may be bent: far enough to be useful, not so far that a slip of the keyboard ends it. */
import { type Cursor, PHASES } from '../core/journal.ts';
import type { ControlAction, Tunable } from './action.ts';
import { ControlError } from './errors.ts';
import { afterPhase } from './place.ts';
import { settingOf, type Tuning } from './tuning.ts';

/** Learning rates stay within this factor of the configured one. */
export const RATE_FACTOR = 10;
const MAX_EPOCHS = 1_000_000;

/** What does not depend on how far the run is. @throws ControlError */
export function checkLimits(action: ControlAction, configured: Omit<Tuning, 'banned'>): void {
  if (action.kind !== 'set') return;
  const { setting, value } = action;
  switch (setting) {
    case 'alpha':
      if (!(value > 0 && value < 1)) throw beyond(`alpha must be above 0 and below 1 (got ${value}).`);
      return;
    case 'epochs':
      if (!Number.isInteger(value) || value < 1 || value > MAX_EPOCHS)
        throw beyond(`epochs must be a whole number from 1 to ${MAX_EPOCHS} (got ${value}).`);
      return;
    case 'agent.learningRate':
    case 'environment.learningRate': {
      const { least, most } = rateLimits(settingOf(configured, setting));
      if (!(value >= least && value <= most))
        throw beyond(
          `${setting} must be from ${least} to ${most}, within ${RATE_FACTOR} times of the configured (got ${value}).`,
        );
      return;
    }
    default:
      setting satisfies never;
  }
}

function rateLimits(rate: number): { least: number; most: number } {
  // Ends belong to the range, whatever the last bit of a product says.
  const digits = (end: number) => Number(end.toPrecision(12));
  return { least: digits(rate / RATE_FACTOR), most: digits(rate * RATE_FACTOR) };
}

/** The same in words, for a person about to change something. */
export function limitTexts(configured: Omit<Tuning, 'banned'>): Record<Tunable, string> {
  const rates = (setting: Tunable) => {
    const { least, most } = rateLimits(settingOf(configured, setting));
    return `${least} to ${most}`;
  };
  return {
    alpha: 'above 0, below 1',
    'agent.learningRate': rates('agent.learningRate'),
    'environment.learningRate': rates('environment.learningRate'),
    epochs: 'a whole number, not before the current epoch',
  };
}

/** Epochs that are over stay; the last one is judged on held-out tasks, so it can't be one whose evaluation has begun. */
export function checkEpochs(value: number, cursor: Cursor): void {
  const next = afterPhase(cursor);
  const judged = PHASES.indexOf(next.phase) > PHASES.indexOf('evaluate');
  const least = Math.max(1, judged ? next.epoch + 1 : next.epoch);
  if (value < least) throw beyond(`epochs must be at least ${least}, since the run is that far (got ${value}).`);
}

const beyond = (message: string) => new ControlError('limit', message);
