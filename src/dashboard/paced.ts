/**
 * Updates to somebody who may read slowly, or has closed the lid: one is under way, and whatever comes meanwhile becomes one
 * more. A page that stands still costs the server one update, not all that it missed.
 */
import type { LiveUpdate } from './api.ts';

export function paced<T>(
  send: (update: T) => Promise<unknown>,
  merge: (earlier: T, later: T) => T,
): (update: T) => void {
  let isSending = false;
  let waiting: T | undefined;
  const run = async (first: T) => {
    isSending = true;
    for (let next: T | undefined = first; next !== undefined; ) {
      // Whoever is gone is noticed by the stream itself.
      await send(next).catch(() => {});
      next = waiting;
      waiting = undefined;
    }
    isSending = false;
  };
  return (update) => {
    if (!isSending) run(update);
    else waiting = waiting === undefined ? update : merge(waiting, update);
  };
}

const MOST_NOTES = 200;

/** The later one wins; an epoch that is being counted again keeps its last count until then. */
export function mergeUpdates(earlier: LiveUpdate, later: LiveUpdate): LiveUpdate {
  const rows = new Map(earlier.epochs.map((row) => [row.epoch, row]));
  for (const row of later.epochs)
    rows.set(row.epoch, { ...row, facts: row.facts ?? rows.get(row.epoch)?.facts ?? null });
  return {
    ...later,
    epochs: [...rows.values()].sort((a, b) => a.epoch - b.epoch),
    notes: [...earlier.notes, ...later.notes].slice(-MOST_NOTES),
  };
}
