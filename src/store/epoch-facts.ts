/** What is known of each epoch, also of the one that is still being played: the data behind charts that move. */
import type { Connection } from './connection.ts';

/** The last row of each table. Rows are only ever added, so a reader that has seen these has seen everything. */
export interface Marks {
  groups: number;
  generations: number;
  scores: number;
  metrics: number;
  notes: number;
}

export function marks(db: Connection): Marks {
  const last = (table: keyof Marks) =>
    db.get<{ last: number }>(`SELECT coalesce(max(row), 0) AS last FROM ${table}`)!.last;
  return {
    groups: last('groups'),
    generations: last('generations'),
    scores: last('scores'),
    metrics: last('metrics'),
    notes: last('notes'),
  };
}

export interface EpochFacts {
  /** Generated tasks by how often they were solved: [successes, attempts, how many tasks]. Never judged ones have 0 attempts. */
  tasks: [successes: number, attempts: number, count: number][];
  /** Batches (the variations of one seed) by success, rounded to a hundredth: [rate, how many batches]. */
  batches: [rate: number, count: number][];
  /** Generations by verdict: `accepted`, or why they were rejected. */
  verdicts: Record<string, number>;
  scored: number;
  kept: number;
  /** Attempts at base tasks, whose answers are the data's own: the agent's ground-truth accuracy. */
  base: { successes: number; attempts: number };
}

/** The variations a chart of the curriculum is about: written in this epoch, or once before training. */
const GENERATED = `role IN ('fresh', 'fixed')`;

/** Counted from the rows of one epoch, whether it is over or not. */
export function epochFacts(db: Connection, epoch: number): EpochFacts {
  const tasks = db.all<{ k: number; n: number; count: number }>(
    `SELECT successes AS k, attempts AS n, count(*) AS count FROM groups WHERE epoch = ? AND ${GENERATED} GROUP BY 1, 2`,
    [epoch],
  );
  const batches = db.all<{ rate: number; count: number }>(
    `SELECT rate, count(*) AS count FROM (
       SELECT round(1.0 * sum(successes) / sum(attempts), 2) AS rate FROM groups
       WHERE epoch = ? AND ${GENERATED} GROUP BY seed_id HAVING sum(attempts) > 0)
     GROUP BY 1`,
    [epoch],
  );
  const verdicts = db.all<{ verdict: string; count: number }>(
    `SELECT coalesce(verdict ->> 'reason', 'accepted') AS verdict, count(*) AS count
     FROM generations WHERE epoch = ? GROUP BY 1`,
    [epoch],
  );
  const scores = db.get<{ scored: number; kept: number }>(
    'SELECT count(*) AS scored, coalesce(sum(kept), 0) AS kept FROM scores WHERE epoch = ?',
    [epoch],
  );
  const base = db.get<{ successes: number; attempts: number }>(
    `SELECT coalesce(sum(successes), 0) AS successes, coalesce(sum(attempts), 0) AS attempts
     FROM groups WHERE epoch = ? AND role = 'base'`,
    [epoch],
  );
  return {
    tasks: tasks.map(({ k, n, count }) => [k, n, count]),
    batches: batches.map(({ rate, count }) => [rate, count]),
    verdicts: Object.fromEntries(verdicts.map(({ verdict, count }) => [verdict, count])),
    scored: scores?.scored ?? 0,
    kept: scores?.kept ?? 0,
    base: base ?? { successes: 0, attempts: 0 },
  };
}

/** Whole-epoch metrics written after a row, in the order of writing. */
export function wholeEpochMetrics(db: Connection, after: number): { epoch: number; key: string; value: number }[] {
  return db.all('SELECT epoch, key, value FROM metrics WHERE row > ? AND step = 0 ORDER BY row', [after]);
}
