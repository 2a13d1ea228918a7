/** Groups of rollouts: a light row with the outcome, one a trace, and one body with everything that was said. */
import type { Ledger, LineageStats } from '../core/journal.ts';
import type { Experience, Group, Outcome, Role, Trace } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { finite } from './finite.ts';
import { outcomeOf, tokensOf } from './outcome.ts';
import { pack, unpack, unpackNumbers } from './pack.ts';
import { streamRows } from './stream.ts';
import { readTask, writeTask } from './tasks.ts';
import { decodeTraces, decodeTurns, encodeTraces } from './trace-codec.ts';

const HELD_OUT: readonly Role[] = ['validation', 'test'];
const FOR_TRAINING = `role NOT IN (${HELD_OUT.map((role) => `'${role}'`).join(', ')})`;

export function writeGroup(db: Connection, group: Group, spent: Ledger): void {
  const { epoch, role, task } = group;
  // Rows and body agree on the order, whatever order the rollouts ended in.
  const traces = group.traces.toSorted((a, b) => a.index - b.index);
  for (const trace of traces) {
    finite(trace.reward, `the reward of trace ${trace.index} of task ${task.id} in epoch ${epoch}`);
  }
  writeTask(db, task);
  const outcome = outcomeOf(group);
  countRollouts(db, outcome, traces, spent);
  const row = db.run(
    `INSERT INTO groups (epoch, task_id, role, seed_id, root_id, structure, successes, attempts, invalid, mean_reward,
       varied, response_tokens, prompt_tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      epoch,
      task.id,
      role,
      task.seedId,
      task.rootId,
      task.structure,
      outcome.successes,
      outcome.attempts,
      outcome.invalid,
      outcome.meanReward,
      Number(outcome.varied),
      outcome.responseTokens,
      outcome.promptTokens,
    ],
  );
  db.run('INSERT INTO group_bodies VALUES (?, ?)', [row, pack(encodeTraces(traces))]);
  if (traces.length === 0) return;
  // One statement for the group's rows: three times cheaper than one for each.
  const rows = Array.from(traces, () => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
  db.run(
    `INSERT INTO traces VALUES ${rows}`,
    traces.flatMap((t) => [row, t.index, t.reward, Number(t.success), Number(t.valid), t.stop, tokensOf(t)]),
  );
}

/** Held-out tasks are for measurement, not spending: they have a count of their own and stay out of the others. */
function countRollouts(db: Connection, outcome: Outcome, traces: readonly Trace[], spent: Ledger): void {
  if (HELD_OUT.includes(outcome.role)) {
    spent.validationRollouts += traces.length;
    return;
  }
  const met = db.get(`SELECT 1 FROM groups WHERE task_id = ? AND ${FOR_TRAINING} LIMIT 1`, [outcome.taskId]);
  if (!met) spent.tasks += 1;
  spent.rollouts += traces.length;
  spent.invalidRollouts += outcome.invalid;
  spent.agentTokens += traces.reduce((sum, trace) => sum + tokensOf(trace), 0);
}

export interface OutcomeRow extends Omit<Outcome, 'varied'> {
  row: number;
  epoch: number;
  varied: number;
}

export const OUTCOME = `SELECT groups.row, groups.epoch, groups.task_id AS taskId, groups.seed_id AS seedId,
  groups.root_id AS rootId, role, groups.structure, successes, attempts, invalid, mean_reward AS meanReward, varied,
  response_tokens AS responseTokens, prompt_tokens AS promptTokens FROM groups`;

export function* outcomes(db: Connection, epoch: number, role?: Role): Generator<Outcome> {
  const found = streamRows<OutcomeRow>(db, {
    table: 'groups',
    select: OUTCOME,
    where: `groups.epoch = ? AND ${role ? 'role = ?' : FOR_TRAINING}`,
    values: role ? [epoch, role] : [epoch],
  });
  for (const outcome of found) yield outcomeFrom(outcome);
}

export const outcomeFrom = ({ row: _row, epoch: _epoch, ...outcome }: OutcomeRow): Outcome => ({
  ...outcome,
  varied: outcome.varied === 1,
});

// The + before groups.row keeps the planner on the task's few groups: to save itself sorting them it would walk the epoch.

/** Of several roles in one epoch the first written, unless `role` is given. */
export function readGroup(db: Connection, epoch: number, taskId: string, role?: Role): Group | undefined {
  const found = db.get<{ role: Role; body: ArrayBuffer }>(
    `SELECT role, body FROM groups JOIN group_bodies ON group_row = groups.row
     WHERE task_id = ? AND epoch = ? AND role = coalesce(?, role) ORDER BY +groups.row LIMIT 1`,
    [taskId, epoch, role ?? null],
  );
  const task = found && readTask(db, taskId);
  return task && { epoch, role: found.role, task, traces: decodeTraces(unpack(found.body)) };
}

/** What an update needs of a group: turns and rewards, none of the words. */
export function readExperience(db: Connection, epoch: number, taskId: string): Experience[] | undefined {
  const found = db.get<{ row: number; body: ArrayBuffer }>(
    `SELECT groups.row, body FROM groups JOIN group_bodies ON group_row = groups.row
     WHERE task_id = ? AND epoch = ? AND ${FOR_TRAINING} ORDER BY +groups.row LIMIT 1`,
    [taskId, epoch],
  );
  if (!found) return undefined;
  const traces = db.all<{ reward: number; valid: number }>(
    'SELECT reward, valid FROM traces WHERE group_row = ? ORDER BY position',
    [found.row],
  );
  const turns = decodeTurns(unpackNumbers(found.body), traces.length);
  return traces.map(({ reward, valid }, i) => ({ reward, valid: valid === 1, turns: turns[i]! }));
}

export function lineage(db: Connection, rootId: string, from: number, before: number): LineageStats[] {
  return db.all<LineageStats>(
    `SELECT epoch, sum(successes) AS successes, sum(attempts) AS attempts FROM groups
     WHERE root_id = ? AND epoch >= ? AND epoch < ? AND role = 'fresh' GROUP BY epoch ORDER BY epoch`,
    [rootId, from, before],
  );
}
