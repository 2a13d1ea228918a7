/** A change in words, the same wherever it is listed. */
import type { Place } from './place.ts';
import type { Change } from './tuning.ts';

export const whatChanged = (change: Change): string =>
  change.kind === 'ban' ? `ban ${JSON.stringify(change.structure)}` : `${change.setting} ${change.old} → ${change.new}`;

export const sinceWhen = ({ epoch, phase }: Place): string =>
  phase === 'generate' ? `epoch ${epoch}` : `${phase} of epoch ${epoch}`;

export const told = (change: Change): string => `${whatChanged(change)}, from ${sinceWhen(change.from)}`;
