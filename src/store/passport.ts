/** Everything a run knows about one task: where it came from, how it was judged, how the agent did, where it ended. */
import type { PoolEntry, Quarantine, TaskHead } from '../core/journal.ts';
import type { Generation, Outcome, Score, Task } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { readQuarantine, SCORE, type ScoreRow, scoreFrom } from './curriculum.ts';
import { readGeneration } from './generations.ts';
import { OUTCOME, type OutcomeRow, outcomeFrom } from './groups.ts';
import { headOf, readTask } from './tasks.ts';

export interface Passport {
  task: Task;
  /** From the base task to this one. */
  lineage: TaskHead[];
  /** Tasks written as variations of it. */
  variations: number;
  /** Every time it was written, with what its author saw; empty for base and held-out tasks. */
  generations: Generation[];
  /** The agent's attempts, oldest first: the history of p̂. */
  outcomes: (Outcome & { epoch: number })[];
  scores: (Score & { epoch: number })[];
  /** As a task in the agent pool, and as its generations in the environment pool. */
  pools: PoolEntry[];
  quarantine: Quarantine | undefined;
}

export function readPassport(db: Connection, id: string): Passport | undefined {
  const task = readTask(db, id);
  if (!task) return undefined;
  const generations = db
    .all<{ id: string }>('SELECT id FROM generations WHERE task_id = ? ORDER BY row', [id])
    .map((found) => readGeneration(db, found.id)!);
  const written = JSON.stringify(generations.map((generation) => generation.id));
  return {
    task,
    lineage: ancestry(db, task),
    variations: db.get<{ n: number }>('SELECT count(*) AS n FROM tasks WHERE seed_id = ?', [id])?.n ?? 0,
    generations,
    outcomes: db
      .all<OutcomeRow>(`${OUTCOME} WHERE groups.task_id = ? ORDER BY groups.epoch, groups.row`, [id])
      .map((found) => ({ epoch: found.epoch, ...outcomeFrom(found) })),
    scores: db
      .all<ScoreRow>(
        `${SCORE} WHERE generation_id IN (SELECT value FROM json_each(?)) ORDER BY scores.epoch, scores.row`,
        [written],
      )
      .map((found) => ({ epoch: found.epoch, ...scoreFrom(found) })),
    pools: db.all<PoolEntry>(
      `SELECT pool, member_id AS memberId, epoch, weight FROM pool
       WHERE (pool = 'agent' AND member_id = ?)
          OR (pool = 'environment' AND member_id IN (SELECT value FROM json_each(?))) ORDER BY row`,
      [id, written],
    ),
    quarantine: readQuarantine(db, id),
  };
}

/** Variations of variations are short chains; a task met twice would be a damaged one, and ends it. */
function ancestry(db: Connection, task: Task): TaskHead[] {
  const chain: TaskHead[] = [];
  const met = new Set<string>();
  for (let next: Task | undefined = task; next && !met.has(next.id); ) {
    met.add(next.id);
    chain.unshift(headOf(next));
    next = next.seedId === null ? undefined : readTask(db, next.seedId);
  }
  return chain;
}
