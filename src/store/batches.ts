/** The batches of an epoch (all variations born from one seed), and what is in one. */
import type { RejectReason, Role } from '../core/types.ts';
import type { Connection } from './connection.ts';

export interface BatchRow {
  seedId: string;
  /** What the seed asks for: the beginning of its last message. */
  words: string | null;
  generations: number;
  rejected: number;
  kept: number;
  tasks: number;
  successes: number;
  attempts: number;
  solved: number;
  unsolved: number;
}

/** The beginning of what a task asks: the last thing said in its prompt. */
export const WORDS = `substr(task_bodies.prompt ->> '$[#-1].content', 1, 160)`;

const wordsOf = (id: string) =>
  `(SELECT ${WORDS} FROM tasks JOIN task_bodies ON task_row = tasks.row WHERE tasks.id = ${id})`;

/** In the order their first generation was written. `limit` is a guard: an epoch over a large set has thousands. */
export function batches(
  db: Connection,
  epoch: number,
  { after = 0, limit = 200 }: { after?: number; limit?: number } = {},
): (BatchRow & { row: number })[] {
  return db.all(
    `WITH written AS (
       SELECT seed_id, min(row) AS row, count(*) AS generations, sum(task_id IS NULL) AS rejected
       FROM generations WHERE epoch = ?1 GROUP BY seed_id),
     judged AS (
       SELECT generations.seed_id, sum(kept) AS kept FROM scores JOIN generations ON generations.id = generation_id
       WHERE scores.epoch = ?1 GROUP BY 1),
     played AS (
       SELECT seed_id, min(row) AS row, count(*) AS tasks, sum(successes) AS successes, sum(attempts) AS attempts,
         sum(attempts > 0 AND successes = attempts) AS solved, sum(attempts > 0 AND successes = 0) AS unsolved
       FROM groups WHERE epoch = ?1 AND role IN ('fresh', 'fixed') AND seed_id IS NOT NULL GROUP BY seed_id),
     seeds AS (SELECT seed_id FROM written UNION SELECT seed_id FROM played)
     SELECT * FROM (
       SELECT row_number() OVER (ORDER BY coalesce(written.row, played.row)) AS row, seeds.seed_id AS seedId,
         coalesce(generations, 0) AS generations, coalesce(rejected, 0) AS rejected, coalesce(kept, 0) AS kept,
         coalesce(tasks, 0) AS tasks, coalesce(successes, 0) AS successes, coalesce(attempts, 0) AS attempts,
         coalesce(solved, 0) AS solved, coalesce(unsolved, 0) AS unsolved, ${wordsOf('seeds.seed_id')} AS words
       FROM seeds LEFT JOIN written USING (seed_id) LEFT JOIN judged USING (seed_id) LEFT JOIN played USING (seed_id))
     WHERE row > ?2 ORDER BY row LIMIT ?3`,
    [epoch, after, limit],
  );
}

export interface VariationRow {
  generationId: string | null;
  author: string | null;
  taskId: string | null;
  words: string | null;
  rejected: RejectReason | null;
  detail: string | null;
  role: Role | null;
  successes: number | null;
  attempts: number | null;
  invalid: number | null;
  meanReward: number | null;
  successRate: number | null;
  envReward: number | null;
  kept: number | null;
  weight: number | null;
}

/** What was written from a seed in an epoch, with what became of each; tasks of a fixed set have no generation in it. */
export function variations(db: Connection, epoch: number, seedId: string): VariationRow[] {
  const outcome = `groups.role, successes, attempts, invalid, mean_reward AS meanReward`;
  return db.all<VariationRow>(
    `SELECT generations.id AS generationId, author, generations.task_id AS taskId, ${wordsOf('generations.task_id')} AS words,
       verdict ->> 'reason' AS rejected, substr(verdict ->> 'detail', 1, 300) AS detail, ${outcome},
       scores.success_rate AS successRate, env_reward AS envReward, kept, weight
     FROM generations
       LEFT JOIN groups ON groups.task_id = generations.task_id AND groups.epoch = ?1 AND groups.role IN ('fresh', 'fixed')
       LEFT JOIN scores ON generation_id = generations.id AND scores.epoch = ?1
     WHERE generations.epoch = ?1 AND generations.seed_id = ?2
     UNION ALL
     SELECT NULL, NULL, groups.task_id, ${wordsOf('groups.task_id')}, NULL, NULL, ${outcome}, NULL, NULL, NULL, NULL
     FROM groups WHERE groups.epoch = ?1 AND groups.seed_id = ?2 AND role = 'fixed'
       AND NOT EXISTS (SELECT 1 FROM generations WHERE generations.task_id = groups.task_id AND generations.epoch = ?1)
     LIMIT 1000`,
    [epoch, seedId],
  );
}

export interface StructureRow {
  structure: string;
  tasks: number;
  successes: number;
  attempts: number;
}

/** The commonest shapes of generated tasks in an epoch. */
export function structures(db: Connection, epoch: number, limit = 12): StructureRow[] {
  return db.all(
    `SELECT structure, count(*) AS tasks, sum(successes) AS successes, sum(attempts) AS attempts FROM groups
     WHERE epoch = ? AND role IN ('fresh', 'fixed') GROUP BY structure ORDER BY tasks DESC, structure LIMIT ?`,
    [epoch, limit],
  );
}
