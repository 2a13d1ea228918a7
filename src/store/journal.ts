/** The run's one writer: Algorithm 1's memory. A step lands with its cursor in one transaction, or not at all. */
import { mkdirSync } from 'node:fs';
import { type Cursor, type Journal, NOTHING_SPENT, type Writes } from '../core/journal.ts';
import type { Json } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { writePoolEntry, writeQuarantine, writeScore } from './curriculum.ts';
import { StoreError } from './errors.ts';
import { generationWriter } from './generations.ts';
import { writeGroup } from './groups.ts';
import { lockRun } from './lock.ts';
import { addToLedger, writeCheckpoint, writeCursor, writeMeta, writeMetric, writeNote } from './progress.ts';
import { type Reads, reads } from './reads.ts';
import { checkExists, openToWrite } from './run-file.ts';
import { checkVersion, migrate, versionOf } from './schema.ts';
import { writeTask } from './tasks.ts';

export interface RunJournal extends Reads, Pick<Journal, 'commit'>, Disposable, AsyncDisposable {
  readonly folder: string;
  /** Records something about the run as a whole, beside what `createRun` was given. */
  setMeta(key: string, value: Json): void;
}

export interface JournalOptions {
  /** Wall time in milliseconds, stamped on notes. */
  now: () => number;
}

/** Makes a run of an empty or new folder. Its schema and its meta appear together, so a run is never half made. */
export function createRun(folder: string, meta: Readonly<Record<string, Json>>): void {
  makeFolder(folder);
  openLocked(folder, (db) => {
    // Version 0 is what a creation cut short leaves behind, and free to take.
    if (versionOf(db) > 0) {
      throw new StoreError('exists', `${folder} already holds a run. Resume it, or choose another name.`);
    }
    migrate(db);
    for (const [key, value] of Object.entries(meta)) writeMeta(db, key, value);
  })[Symbol.dispose]();
}

/** Opens a run to write it, and keeps other writers out until disposed of or until the process ends, however it ends. */
export function openJournal(folder: string, { now }: JournalOptions): RunJournal {
  checkExists(folder);
  const held = openLocked(folder, (db) => {
    checkVersion(db);
    migrate(db);
  });
  const { db } = held;
  const close = () => {
    foldLog(db);
    held[Symbol.dispose]();
  };
  return {
    ...reads(db),
    folder,
    setMeta: (key, value) => db.transaction('immediate', () => writeMeta(db, key, value)),
    commit: (at, writes) => db.transaction('immediate', () => writeStep(db, at, writes, now())),
    [Symbol.dispose]: close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

function writeStep(db: Connection, at: Cursor, writes: Writes, timeMs: number): void {
  const spent = { ...NOTHING_SPENT };
  for (const task of writes.tasks ?? []) writeTask(db, task);
  const writeGeneration = generationWriter(db, spent);
  for (const generation of writes.generations ?? []) writeGeneration(generation);
  for (const group of writes.groups ?? []) writeGroup(db, group, spent);
  for (const score of writes.scores ?? []) writeScore(db, score, at);
  for (const entry of writes.pool ?? []) writePoolEntry(db, entry);
  for (const entry of writes.quarantine ?? []) writeQuarantine(db, entry);
  for (const point of writes.metrics ?? []) writeMetric(db, point);
  for (const note of writes.notes ?? []) writeNote(db, note, timeMs);
  for (const checkpoint of writes.checkpoints ?? []) writeCheckpoint(db, checkpoint, at);
  for (const [key, value] of Object.entries(writes.meta ?? {})) writeMeta(db, key, value);
  addToLedger(db, spent);
  writeCursor(db, at);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new StoreError('unwritable', `The folder ${folder} could not be made (${(error as Error).message}).`, error);
  }
}

/** Leaves one tidy file. Nothing depends on it: whoever opens the run next reads the log as well. */
function foldLog(db: Connection): void {
  try {
    db.get('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Closed already, or no room on the disk: the log stays beside the file, complete.
  }
}

/** The database with the run's lock, made ready in one transaction; nothing stays held when that fails. */
function openLocked(folder: string, prepare: (db: Connection) => void): Disposable & { db: Connection } {
  const lock = lockRun(folder);
  let db: Connection | undefined;
  const release = () => {
    db?.[Symbol.dispose]();
    lock[Symbol.dispose]();
  };
  try {
    const opened = openToWrite(folder);
    db = opened;
    opened.transaction('immediate', () => prepare(opened));
    return { db: opened, [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}
