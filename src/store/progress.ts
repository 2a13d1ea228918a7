/** How far a run is, what it has spent and measured, and where its models are. */
import { type Cursor, type Ledger, type MetricPoint, NOTHING_SPENT, type Note } from '../core/journal.ts';
import type { Checkpoint, Json, Player } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { finite } from './finite.ts';

export function readMeta(db: Connection): Record<string, Json> {
  const rows = db.all<{ key: string; value: string }>('SELECT key, value FROM meta ORDER BY key');
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
}

export function writeMeta(db: Connection, key: string, value: Json): void {
  db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', [key, JSON.stringify(value)]);
}

export function readCursor(db: Connection): Cursor | undefined {
  return db.get<Cursor>('SELECT epoch, phase, done, units FROM cursor');
}

export function writeCursor(db: Connection, { epoch, phase, done, units }: Cursor): void {
  db.run('INSERT OR REPLACE INTO cursor VALUES (1, ?, ?, ?, ?)', [epoch, phase, done, units]);
}

/**
 * `tasks` are distinct tasks the agent has attempted. All counts but `validationRollouts` leave held-out tasks out.
 */
export function readLedger(db: Connection): Ledger {
  const found = db.get<Ledger>(
    `SELECT tasks, rollouts, invalid_rollouts AS invalidRollouts, agent_tokens AS agentTokens,
       environment_tokens AS environmentTokens, generations, rejected_generations AS rejectedGenerations,
       validation_rollouts AS validationRollouts FROM ledger`,
  );
  return found ?? { ...NOTHING_SPENT };
}

export function addToLedger(db: Connection, spent: Ledger): void {
  db.run(
    `UPDATE ledger SET tasks = tasks + ?, rollouts = rollouts + ?, invalid_rollouts = invalid_rollouts + ?,
       agent_tokens = agent_tokens + ?, environment_tokens = environment_tokens + ?, generations = generations + ?,
       rejected_generations = rejected_generations + ?, validation_rollouts = validation_rollouts + ?`,
    [
      spent.tasks,
      spent.rollouts,
      spent.invalidRollouts,
      spent.agentTokens,
      spent.environmentTokens,
      spent.generations,
      spent.rejectedGenerations,
      spent.validationRollouts,
    ],
  );
}

/** A key has one value for a step; written again, the last one counts. */
export function writeMetric(db: Connection, { key, epoch, step, value }: MetricPoint): void {
  finite(value, `metric ${key} of epoch ${epoch}, step ${step}`);
  db.run('INSERT OR REPLACE INTO metrics (key, epoch, step, value) VALUES (?, ?, ?, ?)', [key, epoch, step, value]);
}

export function readMetric(db: Connection, key: string, epoch: number): number | undefined {
  return db.get<{ value: number }>(
    'SELECT value FROM metrics WHERE key = ? AND epoch <= ? AND step = 0 ORDER BY epoch DESC LIMIT 1',
    [key, epoch],
  )?.value;
}

/** The whole-epoch metrics, by key. */
export function readMetrics(db: Connection, epoch: number): Record<string, number> {
  const sql = 'SELECT key, value FROM metrics WHERE epoch = ? AND step = 0 ORDER BY key';
  return Object.fromEntries(db.all<MetricPoint>(sql, [epoch]).map(({ key, value }) => [key, value]));
}

export function writeNote(db: Connection, { kind, epoch, detail }: Note, timeMs: number): void {
  const values = [kind, epoch, JSON.stringify(detail), Math.round(timeMs)];
  db.run('INSERT INTO notes (kind, epoch, detail, time_ms) VALUES (?, ?, ?, ?)', values);
}

export function writeCheckpoint(db: Connection, { player, ref, sha256 }: Checkpoint, at: Cursor): void {
  const values = [player, ref, sha256, at.epoch, at.phase, at.done];
  db.run('INSERT INTO checkpoints (player, ref, sha256, epoch, phase, done) VALUES (?, ?, ?, ?, ?, ?)', values);
}

export function readCheckpoint(db: Connection, player: Player): Checkpoint | undefined {
  const sql = 'SELECT player, ref, sha256 FROM checkpoints WHERE player = ? ORDER BY row DESC LIMIT 1';
  return db.get<Checkpoint>(sql, [player]);
}
