/**
 * One writer a run. The lock is an exclusive SQLite transaction on a file of its own, held while the process lives: the
 * kernel drops it even after kill -9, so no stale lock has to be told from a live one. `run.sqlite` itself stays open to
 * readers.
 */
import { join } from 'node:path';
import { Connection } from './connection.ts';
import { StoreError } from './errors.ts';

export function lockRun(folder: string): Disposable {
  const lock = new Connection(join(folder, 'run.lock'), 1);
  try {
    // No prepared statement on this connection: one would keep it, and so the lock, alive after close.
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock[Symbol.dispose]();
    if (!(error instanceof StoreError && error.kind === 'locked')) throw error;
    throw new StoreError(
      'locked',
      `The run in ${folder} is being written by another process. Stop that one first, or give this run another name.`,
      error,
    );
  }
  return lock;
}
