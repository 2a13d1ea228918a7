/**
 * One writer a run. The lock is an exclusive SQLite transaction on a file of its own, held while the process lives: the
 * kernel drops it even after kill -9, so no stale lock has to be told from a live one. `run.sqlite` itself stays open to
 * readers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from './connection.ts';
import { StoreError } from './errors.ts';

/** Long enough to outwait somebody who only asks (`isBeingWritten`), short enough for a person. */
const PATIENCE_MS = 250;

const RUN_LOCK = 'run.lock';
const lockFile = (folder: string) => join(folder, RUN_LOCK);

/** `name` is for what is no run but has one writer as well. */
export function lockRun(folder: string, name: string = RUN_LOCK): Disposable {
  const lock = new Connection(join(folder, name), PATIENCE_MS);
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

/** Whether some process is writing the run now. Asking reads the lock's file, which disturbs nobody else who asks. */
export function isBeingWritten(folder: string): boolean {
  if (!existsSync(lockFile(folder))) return false;
  const lock = new Connection(lockFile(folder), 1);
  try {
    lock.exec('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'locked') return true;
    throw error;
  } finally {
    lock[Symbol.dispose]();
  }
}
