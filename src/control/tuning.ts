/**
 * What of a run can be changed while it goes on, and what has been. The store keeps the list of changes; what is in force
 * follows from it and from the configuration, in a resumed run as in an undisturbed one.
 */
import type { AlphaStep } from '../core/stepped-band.ts';
import type { Json, Player } from '../core/types.ts';
import type { Tunable } from './action.ts';
import type { Place } from './place.ts';

/** The settings a run plays by at the moment. */
export interface Tuning {
  epochs: number;
  alpha: number;
  learningRate: Record<Player, number>;
  /** Structures of tasks that are not written or drawn any more. */
  banned: ReadonlySet<string>;
}

/** A change that was accepted. Until its place is reached it waits. */
export type Change = {
  who: string;
  timeMs: number;
  from: Place;
  inForce: boolean;
} & ({ kind: 'set'; setting: Tunable; old: number; new: number } | { kind: 'ban'; structure: string });

/** The key of the run's meta under which its changes are kept. */
export const CHANGES_KEY = 'control';

/** The list as the store keeps it; our own writing, so only its presence is in question. */
export function readChanges(meta: Readonly<Record<string, Json>>): Change[] {
  return (meta[CHANGES_KEY] as unknown as Change[] | undefined) ?? [];
}

/** `epochs` is the configuration's alone: a change of it is written there when it comes into force. */
export function tuningOf(configured: Omit<Tuning, 'banned'>, changes: readonly Change[]): Tuning {
  const tuning = { ...configured, learningRate: { ...configured.learningRate }, banned: new Set<string>() };
  for (const change of changes) {
    if (!change.inForce) continue;
    if (change.kind === 'ban') tuning.banned.add(change.structure);
    else if (change.setting !== 'epochs') assign(tuning, change.setting, change.new);
  }
  return tuning;
}

export function settingOf(tuning: Omit<Tuning, 'banned'>, setting: Tunable): number {
  switch (setting) {
    case 'agent.learningRate':
      return tuning.learningRate.agent;
    case 'environment.learningRate':
      return tuning.learningRate.environment;
    default:
      return tuning[setting];
  }
}

export function assign(tuning: Omit<Tuning, 'banned'>, setting: Tunable, value: number): void {
  switch (setting) {
    case 'agent.learningRate':
      tuning.learningRate.agent = value;
      break;
    case 'environment.learningRate':
      tuning.learningRate.environment = value;
      break;
    default:
      tuning[setting] = value;
  }
}

/** α in an epoch, for whoever draws or sums up a run. */
export function alphaIn(epoch: number, configured: number, changes: readonly Change[]): number {
  const earlier = changes.findLast((c) => c.kind === 'set' && c.setting === 'alpha' && c.from.epoch <= epoch);
  return earlier?.kind === 'set' ? earlier.new : configured;
}

/** Where α changed, for whoever draws it: one step an epoch, and none that changes nothing. */
export function alphaSteps(configured: number, changes: readonly Change[]): AlphaStep[] {
  const epochs = new Set(changes.flatMap((c) => (c.kind === 'set' && c.setting === 'alpha' ? [c.from.epoch] : [])));
  return [...epochs]
    .sort((a, b) => a - b)
    .map((epoch) => ({ epoch, alpha: alphaIn(epoch, configured, changes) }))
    .filter(({ epoch, alpha }) => alpha !== alphaIn(epoch - 1, configured, changes));
}
