/** Tasks and rejected generations as lists to search: by text, difficulty, verdict, epoch and shape. Newest first. */
import type { Origin, RejectReason, Role } from '../core/types.ts';
import { WORDS } from './batches.ts';
import type { Connection, Value } from './connection.ts';
import { literally, searchClause } from './prompt-search.ts';

export type TaskVerdict = 'kept' | 'filtered' | 'quarantined' | 'unjudged';

export interface TaskFilter {
  /** Part of the prompt in either case, or the beginning of an id. */
  search?: string | undefined;
  origin?: Origin | undefined;
  /** Written in this epoch. */
  epoch?: number | undefined;
  verdict?: TaskVerdict | undefined;
  /** p̂ when it was last attempted. */
  from?: number | undefined;
  to?: number | undefined;
  structure?: string | undefined;
  /** Only rows before this one: the next page. */
  before?: number | undefined;
  /** Only rows after this one: where to stop looking. */
  after?: number | undefined;
  limit?: number | undefined;
}

export interface TaskListRow {
  row: number;
  id: string;
  seedId: string | null;
  origin: Origin;
  epoch: number;
  structure: string;
  words: string | null;
  /** When the agent last attempted it, and how that went; null where it has not. */
  attemptedIn: number | null;
  role: Role | null;
  successes: number | null;
  attempts: number | null;
  /** What the filter said of it last; null where it was never scored. */
  kept: number | null;
  quarantined: number;
}

const LAST_GROUP = '(SELECT max(row) FROM groups WHERE groups.task_id = tasks.id)';
const KEPT = `(SELECT kept FROM generations JOIN scores ON generation_id = generations.id
  WHERE generations.task_id = tasks.id ORDER BY scores.epoch DESC, scores.row DESC LIMIT 1)`;
const QUARANTINED = 'EXISTS (SELECT 1 FROM quarantine WHERE quarantine.task_id = tasks.id)';
const RATE = '1.0 * groups.successes / groups.attempts';

const VERDICTS: Record<TaskVerdict, string> = {
  kept: `${KEPT} = 1`,
  filtered: `${KEPT} = 0`,
  quarantined: QUARANTINED,
  unjudged: 'coalesce(groups.attempts, 0) = 0',
};

export function taskList(db: Connection, filter: TaskFilter = {}): TaskListRow[] {
  const { search, origin, epoch, verdict, from, to, structure, before, after, limit = 100 } = filter;
  const where: string[] = ['true'];
  const values: Value[] = [];
  const only = (claim: string, ...bound: Value[]) => {
    where.push(claim);
    values.push(...bound);
  };
  if (before !== undefined) only('tasks.row < ?', before);
  if (after !== undefined) only('tasks.row > ?', after);
  if (origin !== undefined) only('tasks.origin = ?', origin);
  if (epoch !== undefined) only('tasks.epoch = ?', epoch);
  if (structure !== undefined) only('tasks.structure = ?', structure);
  if (verdict !== undefined) only(VERDICTS[verdict]);
  if (from !== undefined) only(`groups.attempts > 0 AND ${RATE} >= ?`, from);
  if (to !== undefined) only(`groups.attempts > 0 AND ${RATE} <= ?`, to);
  if (search) {
    const { claim, values: bound } = searchClause(search);
    only(claim, ...bound);
  }
  return db.all<TaskListRow>(
    `SELECT tasks.row, tasks.id, tasks.seed_id AS seedId, tasks.origin, tasks.epoch, tasks.structure, ${WORDS} AS words,
       groups.epoch AS attemptedIn, groups.role, groups.successes, groups.attempts, ${KEPT} AS kept,
       ${QUARANTINED} AS quarantined
     FROM tasks JOIN task_bodies ON task_row = tasks.row LEFT JOIN groups ON groups.row = ${LAST_GROUP}
     WHERE ${where.join(' AND ')} ORDER BY tasks.row DESC LIMIT ?`,
    [...values, limit],
  );
}

export interface RejectionFilter {
  search?: string | undefined;
  reason?: RejectReason | undefined;
  epoch?: number | undefined;
  before?: number | undefined;
  limit?: number | undefined;
}

export interface RejectionRow {
  row: number;
  id: string;
  epoch: number;
  seedId: string;
  author: string;
  reason: RejectReason;
  detail: string;
  tokens: number;
}

/** Generations that became no task. The text searched is the reason's: what was written is packed away. */
export function rejections(db: Connection, filter: RejectionFilter = {}): RejectionRow[] {
  const { search, reason, epoch, before, limit = 100 } = filter;
  const where: string[] = ['task_id IS NULL'];
  const values: Value[] = [];
  const only = (claim: string, value: Value) => {
    where.push(claim);
    values.push(value);
  };
  if (before !== undefined) only('row < ?', before);
  if (epoch !== undefined) only('epoch = ?', epoch);
  if (reason !== undefined) only("verdict ->> 'reason' = ?", reason);
  if (search) only("verdict ->> 'detail' LIKE ? ESCAPE '|'", `%${literally(search)}%`);
  return db.all<RejectionRow>(
    `SELECT row, id, epoch, seed_id AS seedId, author, verdict ->> 'reason' AS reason,
       substr(verdict ->> 'detail', 1, 300) AS detail, tokens
     FROM generations WHERE ${where.join(' AND ')} ORDER BY row DESC LIMIT ?`,
    [...values, limit],
  );
}
