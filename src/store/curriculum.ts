/** What the curriculum decided: scores (Eq. 2 and 3), membership of the two pools, and quarantine. */
import type { Cursor, PoolEntry, Quarantine } from '../core/journal.ts';
import type { Player, Score } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { finite } from './finite.ts';
import { streamRows } from './stream.ts';

/** A score belongs to the epoch that computed it, which is the cursor's. */
export function writeScore(db: Connection, score: Score, at: Cursor): void {
  const { generationId, taskId, successRate, envReward, kept, weight } = score;
  finite(successRate, `the success rate of generation ${generationId}`);
  finite(envReward, `the reward of generation ${generationId}`);
  finite(weight, `the weight of generation ${generationId}`);
  db.run(
    `INSERT INTO scores (epoch, generation_id, task_id, success_rate, env_reward, kept, weight)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [at.epoch, generationId, taskId, successRate, envReward, Number(kept), weight],
  );
}

export interface ScoreRow extends Omit<Score, 'kept'> {
  row: number;
  epoch: number;
  kept: number;
}

export const SCORE = `SELECT scores.row, scores.epoch, generation_id AS generationId, scores.task_id AS taskId,
  success_rate AS successRate, env_reward AS envReward, kept, weight FROM scores`;

export function* scores(db: Connection, epoch: number): Generator<Score> {
  const found = streamRows<ScoreRow>(db, {
    table: 'scores',
    select: SCORE,
    where: 'scores.epoch = ?',
    values: [epoch],
  });
  for (const score of found) yield scoreFrom(score);
}

export const scoreFrom = ({ row: _row, epoch: _epoch, ...score }: ScoreRow): Score => ({
  ...score,
  kept: score.kept === 1,
});

export function writePoolEntry(db: Connection, { pool, memberId, epoch, weight }: PoolEntry): void {
  finite(weight, `the weight of ${memberId} in the ${pool} pool`);
  const taskOf = pool === 'agent' ? '?2' : '(SELECT task_id FROM generations WHERE id = ?2)';
  db.run(
    `INSERT INTO pool (pool, member_id, epoch, weight, task_id) VALUES (?1, ?2, ?3, ?4, ${taskOf})
     ON CONFLICT (pool, member_id) DO UPDATE SET epoch = excluded.epoch, weight = excluded.weight`,
    [pool, memberId, epoch, weight],
  );
}

export function* poolEntries(db: Connection, player: Player): Generator<PoolEntry> {
  const found = streamRows<PoolEntry & { row: number }>(db, {
    table: 'pool',
    select: 'SELECT pool.row, pool.pool, member_id AS memberId, pool.epoch, weight FROM pool',
    // The + keeps the planner in row order: by the index on members it would sort the whole pool for every page.
    where: '+pool.pool = ? AND NOT EXISTS (SELECT 1 FROM quarantine WHERE quarantine.task_id = pool.task_id)',
    values: [player],
  });
  for (const { row: _row, ...entry } of found) yield entry;
}

/** The first reason stays: a quarantined task is not met again. */
export function writeQuarantine(db: Connection, { taskId, epoch, reason }: Quarantine): void {
  db.run('INSERT OR IGNORE INTO quarantine VALUES (?, ?, ?)', [taskId, epoch, JSON.stringify(reason)]);
}

export function readQuarantine(db: Connection, taskId: string): Quarantine | undefined {
  const found = db.get<{ epoch: number; reason: string }>('SELECT epoch, reason FROM quarantine WHERE task_id = ?', [
    taskId,
  ]);
  return found && { taskId, epoch: found.epoch, reason: JSON.parse(found.reason) };
}
