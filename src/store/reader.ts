/** Reading a run from another process while it writes: terminal, dashboard, export. Nothing here can change a run. */
import type { Cursor, MetricPoint, Note } from '../core/journal.ts';
import type { Checkpoint, Origin, Role, Trace } from '../core/types.ts';
import { type Browse, browse } from './browse.ts';
import type { Connection, Value } from './connection.ts';
import { type Passport, readPassport } from './passport.ts';
import { searchClause } from './prompt-search.ts';
import { type Reads, reads } from './reads.ts';
import { openToRead } from './run-file.ts';
import { TASK_HEAD, type TaskRow } from './tasks.ts';

/** A page of rows written after `after`, the `row` of the last one already seen. */
export interface Page {
  after?: number;
  limit?: number;
}

export interface TaskQuery extends Page {
  /** Part of the prompt in either case, or the beginning of an id. */
  search?: string;
  origin?: Origin;
  epoch?: number;
}

export type MetricRow = MetricPoint & { row: number };
export type NoteRow = Note & { row: number; timeMs: number };
export type CheckpointRow = Checkpoint & Pick<Cursor, 'epoch' | 'phase' | 'done'> & { row: number };

export interface RunReader extends Reads, Disposable {
  readonly folder: string;
  /** Charts, lists and trees for people who look at a run. */
  readonly browse: Browse;
  /** Metric points in the order of writing; those whose key starts with `prefix`. */
  metricRows(query?: Page & { prefix?: string }): MetricRow[];
  metricKeys(): string[];
  /** Light rows of tasks in order of birth. */
  tasks(query?: TaskQuery): TaskRow[];
  passport(taskId: string): Passport | undefined;
  /** Trace `index` of the group of a task in an epoch. */
  trace(epoch: number, taskId: string, index: number, role?: Role): Trace | undefined;
  notes(query?: Page): NoteRow[];
  /** All that were ever committed, oldest first; only the last of each player is sure to exist still. */
  checkpoints(): CheckpointRow[];
}

const PAGE_ROWS = 100;

export function openReader(folder: string): RunReader {
  const db = openToRead(folder);
  const read = reads(db);
  return {
    ...read,
    folder,
    browse: browse(db),
    metricRows: (query) => metricRows(db, query),
    metricKeys: () => db.all<{ key: string }>('SELECT DISTINCT key FROM metrics ORDER BY key').map(({ key }) => key),
    tasks: (query) => taskRows(db, query),
    passport: (taskId) => readPassport(db, taskId),
    trace: (epoch, taskId, index, role) =>
      read.group(epoch, taskId, role)?.traces.find((trace) => trace.index === index),
    notes: ({ after = 0, limit = PAGE_ROWS } = {}) =>
      db
        .all<NoteRow>(
          'SELECT row, kind, epoch, detail, time_ms AS timeMs FROM notes WHERE row > ? ORDER BY row LIMIT ?',
          [after, limit],
        )
        .map((note) => ({ ...note, detail: JSON.parse(note.detail) })),
    checkpoints: () => db.all('SELECT row, player, ref, sha256, epoch, phase, done FROM checkpoints ORDER BY row'),
    [Symbol.dispose]: () => db[Symbol.dispose](),
  };
}

function metricRows(db: Connection, query: Page & { prefix?: string } = {}): MetricRow[] {
  const { after = 0, limit = PAGE_ROWS, prefix = '' } = query;
  return db.all<MetricRow>(
    `SELECT row, key, epoch, step, value FROM metrics
     WHERE row > ? AND substr(key, 1, ?) = ? ORDER BY row LIMIT ?`,
    [after, [...prefix].length, prefix, limit],
  );
}

function taskRows(db: Connection, { after = 0, limit = PAGE_ROWS, search, origin, epoch }: TaskQuery = {}): TaskRow[] {
  const where = ['tasks.row > ?'];
  const values: Value[] = [after];
  if (origin !== undefined) {
    where.push('origin = ?');
    values.push(origin);
  }
  if (epoch !== undefined) {
    where.push('epoch = ?');
    values.push(epoch);
  }
  if (search) {
    const { claim, values: bound } = searchClause(search);
    where.push(claim);
    values.push(...bound);
  }
  return db.all<TaskRow>(
    `SELECT ${TASK_HEAD} FROM tasks JOIN task_bodies ON task_row = tasks.row
     WHERE ${where.join(' AND ')} ORDER BY tasks.row LIMIT ?`,
    [...values, limit],
  );
}
