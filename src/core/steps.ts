/**
 * How the loop survives a kill: a phase walks a fixed list of items in steps, each step commits with the number of items
 * done in one transaction, and a resumed loop lists the same items and goes on where the last commit ended.
 */
import type { RunEvent } from './events.ts';
import { type Cursor, type Journal, PHASES, type Phase, type Writes } from './journal.ts';
import type { Checkpoint } from './types.ts';

export interface StepContext {
  journal: Journal;
  /** Polite: finish the step, commit, end. */
  stop: AbortSignal;
  /** Called when a committed checkpoint has taken the place of an older one. */
  discard(checkpoint: Checkpoint): Promise<void>;
}

/** Thrown through the loop when it was asked to stop; everything before it is committed. */
export class Stopped extends Error {
  readonly at: Cursor;
  constructor(at: Cursor) {
    super(`Stopped in epoch ${at.epoch} after ${at.phase}.`);
    this.at = at;
  }
}

/** Runs one phase over its items, `size` at a time. Items are listed only when there is something left to do. */
export async function* phase<T>(
  context: StepContext,
  epoch: number,
  name: Phase,
  items: () => T[],
  size: number,
  work: (items: T[]) => Promise<Writes>,
): AsyncGenerator<RunEvent> {
  const { journal } = context;
  const done = itemsDone(journal.cursor(), epoch, name);
  if (done === 'all') return;
  const all = items();
  const units = all.length;
  yield { type: 'phase', epoch, phase: name, done, units };
  // A phase without items still commits once: the cursor must move past it.
  for (let from = done; from < units || from === 0; from += size) {
    const writes = await work(all.slice(from, from + size));
    const to = Math.min(from + size, units);
    await commit(context, { epoch, phase: name, done: to, units }, writes);
    for (const note of writes.notes ?? []) yield { type: 'note', ...note };
    yield { type: 'progress', epoch, phase: name, done: to, units, ledger: journal.ledger() };
    if (context.stop.aborted) throw new Stopped(journal.cursor()!);
  }
}

/** A phase that is one step. */
export const once = (
  context: StepContext,
  epoch: number,
  name: Phase,
  work: () => Promise<Writes> | Writes,
): AsyncGenerator<RunEvent> =>
  phase(
    context,
    epoch,
    name,
    () => [name],
    1,
    async () => work(),
  );

async function commit({ journal, discard }: StepContext, at: Cursor, writes: Writes): Promise<void> {
  const saved = writes.checkpoints ?? [];
  const replaced = saved.map(({ player }) => journal.checkpoint(player));
  journal.commit(at, writes);
  // Only after the commit: until then the older one is what a resume would load.
  for (const old of replaced) if (old && !saved.some(({ ref }) => ref === old.ref)) await discard(old);
}

function itemsDone(cursor: Cursor | undefined, epoch: number, name: Phase): number | 'all' {
  if (!cursor) return 0;
  const order = cursor.epoch - epoch || PHASES.indexOf(cursor.phase) - PHASES.indexOf(name);
  if (order !== 0) return order > 0 ? 'all' : 0;
  return cursor.done >= cursor.units ? 'all' : cursor.done;
}
