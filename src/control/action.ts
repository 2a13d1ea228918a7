/** What a person may ask of a running run. Requests come from other processes, so they are read with suspicion. */
import { ControlError } from './errors.ts';

export const TUNABLE = ['alpha', 'agent.learningRate', 'environment.learningRate', 'epochs'] as const;
export type Tunable = (typeof TUNABLE)[number];

export type ControlAction =
  | { kind: 'pause' | 'resume' }
  /** Ends the run when the phase in progress has. */
  | { kind: 'stop' }
  | { kind: 'set'; setting: Tunable; value: number }
  /** No task of this structure is written, drawn or trained on any more. */
  | { kind: 'ban'; structure: string };

/** Far longer than any structure a benchmark makes. */
const MAX_STRUCTURE = 1000;
const MAX_WHO = 80;

/** @throws ControlError where it is no action. Whether its value is within limits is another question. */
export function readAction(value: unknown): ControlAction {
  const { kind, setting, value: number, structure } = (isRecord(value) ? value : {}) as Record<string, unknown>;
  switch (kind) {
    case 'pause':
    case 'resume':
    case 'stop':
      return { kind };
    case 'set':
      if (!isTunable(setting)) throw invalid(`Only ${TUNABLE.join(', ')} can be changed in a running run.`);
      if (typeof number !== 'number' || !Number.isFinite(number)) throw invalid(`${setting} must be a number.`);
      return { kind, setting, value: number };
    case 'ban':
      if (typeof structure !== 'string' || structure === '') throw invalid('A ban needs the structure of a task.');
      if (structure.length > MAX_STRUCTURE) throw invalid(`A structure has at most ${MAX_STRUCTURE} characters.`);
      return { kind, structure };
    default:
      throw invalid('An action is one of pause, resume, stop, set and ban.');
  }
}

/** A name to put on record: one line, not too long. */
export function readWho(value: unknown): string {
  const who = typeof value === 'string' ? value.replace(/[\p{C}\p{Z}]+/gu, ' ').trim() : '';
  return who === '' ? 'unknown' : [...who].slice(0, MAX_WHO).join('');
}

export const isTunable = (name: unknown): name is Tunable => TUNABLE.some((tunable) => tunable === name);

const isRecord = (value: unknown) => typeof value === 'object' && value !== null;
const invalid = (message: string) => new ControlError('invalid', message);
