/**
 * One number for the whole state of a run. Rows are hashed in the order of their natural keys and without row ids, wall
 * times or the names of checkpoints, and bodies as they were before compression: two runs agree exactly when they hold
 * the same content, however it was chunked into commits.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Connection, Value } from './connection.ts';
import { unpack } from './pack.ts';
import { openToRead } from './run-file.ts';
import { BODY_PAGE_ROWS, type KeyedQuery, streamByKey } from './stream.ts';

type Row = Record<string, Value | ArrayBuffer>;

const SECTIONS: Readonly<Record<string, KeyedQuery>> = {
  cursor: { select: 'SELECT epoch, phase, done, units FROM cursor', key: ['epoch'] },
  tasks: {
    select: `SELECT id, seed_id, root_id, origin, epoch, structure, prompt, tools, eval, features
      FROM tasks JOIN task_bodies ON task_row = tasks.row`,
    key: ['id'],
  },
  generations: {
    select: `SELECT id, epoch, seed_id, author, task_id, verdict, contexts.body AS context, generation_bodies.body AS body
      FROM generations JOIN contexts ON contexts.row = context_row
      JOIN generation_bodies ON generation_row = generations.row`,
    key: ['id'],
    pageRows: BODY_PAGE_ROWS,
  },
  groups: {
    select: 'SELECT task_id, epoch, role, body FROM groups JOIN group_bodies ON group_row = groups.row',
    key: ['task_id', 'epoch', 'role'],
    pageRows: BODY_PAGE_ROWS,
  },
  scores: {
    select: 'SELECT generation_id, epoch, task_id, success_rate, env_reward, kept, weight FROM scores',
    key: ['generation_id', 'epoch'],
  },
  pool: { select: 'SELECT pool, member_id, epoch, weight FROM pool', key: ['pool', 'member_id'] },
  quarantine: { select: 'SELECT task_id, epoch, reason FROM quarantine', key: ['task_id'] },
  metrics: {
    select: 'SELECT key, epoch, step, value FROM metrics',
    key: ['key', 'epoch', 'step'],
    where: "substr(key, 1, 5) <> 'time/'",
  },
};

const LAST_CHECKPOINTS = `SELECT player, sha256 FROM checkpoints
  WHERE row IN (SELECT max(row) FROM checkpoints GROUP BY player) ORDER BY player`;

/** SHA-256 in hex. Takes a run's folder or a reader of it, and reads one snapshot of it beside any writer. */
export function digest(run: string | { readonly folder: string }): string {
  const db = openToRead(typeof run === 'string' ? run : run.folder);
  try {
    return db.transaction('deferred', () => hashAll(db));
  } finally {
    db[Symbol.dispose]();
  }
}

function hashAll(db: Connection): string {
  const hash = createHash('sha256');
  for (const [name, query] of Object.entries(SECTIONS)) {
    hash.update(`\n${name}\n`);
    for (const row of streamByKey<Row>(db, query)) hashRow(hash, row);
  }
  // The models as they are now: how often they were saved on the way is not part of the state.
  hash.update('\ncheckpoints\n');
  for (const row of db.all<Row>(LAST_CHECKPOINTS)) hashRow(hash, row);
  return hash.digest('hex');
}

function hashRow(hash: Hash, row: Row): void {
  for (const value of Object.values(row)) {
    if (value instanceof ArrayBuffer) {
      const { json, ints, floats } = unpack(value);
      // Lengths first, so that no two bodies run together into the same bytes.
      hash.update(`${json.length} ${ints.length} ${floats.length}\n`);
      hash.update(json).update(ints).update(floats);
    } else {
      hash.update(`${JSON.stringify(value)}\n`);
    }
  }
}
