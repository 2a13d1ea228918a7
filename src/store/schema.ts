/**
 * The tables of a run. Light rows are apart from heavy bodies, so that counting and streaming never read text or tokens;
 * `row` is the order of writing. Free text and model output are stored as JSON, which keeps every character (the driver
 * ends plain text at a NUL).
 */
import type { Connection } from './connection.ts';
import { StoreError } from './errors.ts';

const FIRST = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE cursor (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  epoch INTEGER NOT NULL, phase TEXT NOT NULL, done INTEGER NOT NULL, units INTEGER NOT NULL
) STRICT;

CREATE TABLE ledger (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  tasks INTEGER NOT NULL, rollouts INTEGER NOT NULL, invalid_rollouts INTEGER NOT NULL, agent_tokens INTEGER NOT NULL,
  environment_tokens INTEGER NOT NULL, generations INTEGER NOT NULL, rejected_generations INTEGER NOT NULL,
  validation_rollouts INTEGER NOT NULL
) STRICT;
INSERT INTO ledger VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0);

CREATE TABLE tasks (
  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, seed_id TEXT, root_id TEXT NOT NULL, origin TEXT NOT NULL,
  epoch INTEGER NOT NULL, structure TEXT NOT NULL
) STRICT;
CREATE INDEX tasks_by_seed ON tasks (seed_id);
CREATE TABLE task_bodies (
  task_row INTEGER PRIMARY KEY, prompt TEXT NOT NULL, tools TEXT NOT NULL, eval TEXT NOT NULL, features TEXT NOT NULL
) STRICT;

-- What an author saw, as messages and as ids: the n variations asked for at once share one.
CREATE TABLE contexts (row INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;
CREATE TABLE generations (
  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, seed_id TEXT NOT NULL, author TEXT NOT NULL,
  task_id TEXT, verdict TEXT NOT NULL, tokens INTEGER NOT NULL, context_row INTEGER NOT NULL
) STRICT;
CREATE INDEX generations_by_epoch ON generations (epoch);
CREATE INDEX generations_by_task ON generations (task_id, epoch) WHERE task_id IS NOT NULL;
CREATE TABLE generation_bodies (generation_row INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;

CREATE TABLE groups (
  row INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, task_id TEXT NOT NULL, role TEXT NOT NULL, seed_id TEXT,
  root_id TEXT NOT NULL, structure TEXT NOT NULL, successes INTEGER NOT NULL, attempts INTEGER NOT NULL,
  invalid INTEGER NOT NULL, mean_reward REAL NOT NULL, varied INTEGER NOT NULL, response_tokens REAL NOT NULL,
  prompt_tokens INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX groups_by_task ON groups (task_id, epoch, role);
CREATE INDEX groups_by_epoch ON groups (epoch);
CREATE INDEX groups_by_root ON groups (root_id, epoch);
CREATE TABLE group_bodies (group_row INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE traces (
  group_row INTEGER NOT NULL, position INTEGER NOT NULL, reward REAL NOT NULL, success INTEGER NOT NULL,
  valid INTEGER NOT NULL, stop TEXT NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (group_row, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE scores (
  row INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, generation_id TEXT NOT NULL, task_id TEXT, success_rate REAL NOT NULL,
  env_reward REAL NOT NULL, kept INTEGER NOT NULL, weight REAL NOT NULL, UNIQUE (generation_id, epoch)
) STRICT;
CREATE INDEX scores_by_epoch ON scores (epoch);

-- A member is in a pool once, in the order it first entered, with the epoch and the weight of its last entry.
CREATE TABLE pool (
  row INTEGER PRIMARY KEY, pool TEXT NOT NULL, member_id TEXT NOT NULL, epoch INTEGER NOT NULL, weight REAL NOT NULL,
  task_id TEXT, UNIQUE (pool, member_id)
) STRICT;
CREATE TABLE quarantine (task_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL, reason TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Row ids are never used twice here: readers ask for the rows after the last one they saw.
CREATE TABLE metrics (
  row INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, epoch INTEGER NOT NULL, step INTEGER NOT NULL,
  value REAL NOT NULL, UNIQUE (key, epoch, step)
) STRICT;
CREATE INDEX metrics_by_epoch ON metrics (epoch);
CREATE TABLE notes (
  row INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, epoch INTEGER NOT NULL, detail TEXT NOT NULL,
  time_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE checkpoints (
  row INTEGER PRIMARY KEY AUTOINCREMENT, player TEXT NOT NULL, ref TEXT NOT NULL, sha256 TEXT NOT NULL,
  epoch INTEGER NOT NULL, phase TEXT NOT NULL, done INTEGER NOT NULL
) STRICT;
CREATE INDEX checkpoints_by_player ON checkpoints (player);
`;

/** Migration i brings a database from version i to i + 1. Only ever append. */
const MIGRATIONS: readonly string[] = [FIRST];

export const SCHEMA_VERSION: number = MIGRATIONS.length;

export function versionOf(db: Connection): number {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** Brings the tables up to date; call it inside a transaction. */
export function migrate(db: Connection, migrations: readonly string[] = MIGRATIONS): void {
  const from = versionOf(db);
  for (const migration of migrations.slice(from)) db.exec(migration);
  if (from < migrations.length) db.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Refuses what this version can't read; an older database is the writer's to migrate. */
export function checkVersion(db: Connection): void {
  const version = versionOf(db);
  if (version === 0) {
    throw new StoreError('missing', `${db.file} holds no run. Start one, or check the name of the folder.`);
  }
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      'newer',
      `${db.file} is of version ${version}; this GenEnv reads versions up to ${SCHEMA_VERSION}. ` +
        'Update it (npm install genenv@latest) and try again.',
    );
  }
}
