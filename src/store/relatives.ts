/** The tree a task stands in: what it came from, what was written beside it, and what was written from it. */
import { WORDS } from './batches.ts';
import type { Connection } from './connection.ts';

export interface Relative {
  id: string;
  seedId: string | null;
  origin: string;
  epoch: number;
  words: string | null;
  /** In its last group. */
  successes: number | null;
  attempts: number | null;
}

export interface Relatives {
  /** From the base task down to the task itself. */
  line: Relative[];
  siblings: Relative[];
  children: Relative[];
}

const MOST = 60;
/** A chain that is longer, or bites its tail, is a damaged one. */
const DEEPEST = 100;

const RELATIVE = `SELECT tasks.id, tasks.seed_id AS seedId, tasks.origin, tasks.epoch, ${WORDS} AS words, successes, attempts
  FROM tasks JOIN task_bodies ON task_row = tasks.row
  LEFT JOIN groups ON groups.row = (SELECT max(row) FROM groups WHERE groups.task_id = tasks.id)`;

export function relatives(db: Connection, taskId: string): Relatives {
  const one = (id: string) => db.get<Relative>(`${RELATIVE} WHERE tasks.id = ?`, [id]);
  const line: Relative[] = [];
  for (let next = one(taskId); next && line.length < DEEPEST; ) {
    const found: Relative = next;
    line.unshift(found);
    next = found.seedId === null || line.some(({ id }) => id === found.seedId) ? undefined : one(found.seedId);
  }
  const below = (seedId: string, epoch: number | null) =>
    db.all<Relative>(
      `${RELATIVE} WHERE tasks.seed_id = ?1 AND (?2 IS NULL OR tasks.epoch = ?2) ORDER BY tasks.row LIMIT ${MOST}`,
      [seedId, epoch],
    );
  const self = line.at(-1);
  const siblings = self?.seedId ? below(self.seedId, self.epoch) : [];
  return { line, siblings: siblings.filter(({ id }) => id !== taskId), children: below(taskId, null) };
}
