/** Where a run's database is and how it is opened, for its one writer and for any number of readers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from './connection.ts';
import { StoreError } from './errors.ts';
import { checkVersion, SCHEMA_VERSION, versionOf } from './schema.ts';

const BUSY_TIMEOUT_MS = 5000;

export const runFile = (folder: string): string => join(folder, 'run.sqlite');

export const hasRun = (folder: string): boolean => existsSync(runFile(folder));

export function openToWrite(folder: string): Connection {
  const db = new Connection(runFile(folder), BUSY_TIMEOUT_MS);
  return orClose(db, () => {
    db.get('PRAGMA journal_mode = WAL');
    // In WAL a commit survives kill -9 of the process; only a power cut may take the last ones, never half of one.
    db.exec('PRAGMA synchronous = NORMAL');
  });
}

export function openToRead(folder: string): Connection {
  checkExists(folder);
  const db = new Connection(runFile(folder), BUSY_TIMEOUT_MS);
  return orClose(db, () => {
    // The driver has no read-only mode of its own.
    db.exec('PRAGMA query_only = ON');
    checkVersion(db);
    if (versionOf(db) < SCHEMA_VERSION) {
      throw new StoreError(
        'older',
        `${db.file} was written by an older GenEnv. Resume the run once to bring it up to date, then read it.`,
      );
    }
  });
}

/** SQLite would create what is missing. */
export function checkExists(folder: string): void {
  if (!existsSync(folder)) {
    throw new StoreError('missing', `There is no folder ${folder}. Check the name of the run.`);
  }
  if (!hasRun(folder)) {
    throw new StoreError(
      'missing',
      `The folder ${folder} holds no run: it has no run.sqlite. Check the name of the run.`,
    );
  }
}

function orClose(db: Connection, prepare: () => void): Connection {
  try {
    prepare();
    return db;
  } catch (error) {
    db[Symbol.dispose]();
    throw error;
  }
}
