/** Tasks as rows: a light head for lineage, a body with what the agent is asked. */
import type { TaskHead } from '../core/journal.ts';
import type { Origin, Task } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { finite } from './finite.ts';
import { streamRows } from './stream.ts';
import { plainMessages } from './trace-codec.ts';

/** Inserts a task unless it is there already: the same content written again is the same row. */
export function writeTask(db: Connection, task: Task): void {
  if (db.get('SELECT 1 FROM tasks WHERE id = ?', [task.id])) return;
  for (const [name, value] of Object.entries(task.features)) finite(value, `feature ${name} of task ${task.id}`);
  const row = db.run('INSERT INTO tasks (id, seed_id, root_id, origin, epoch, structure) VALUES (?, ?, ?, ?, ?, ?)', [
    task.id,
    task.seedId,
    task.rootId,
    task.origin,
    task.epoch,
    task.structure,
  ]);
  db.run('INSERT INTO task_bodies VALUES (?, ?, ?, ?, ?)', [
    row,
    JSON.stringify(plainMessages(task.prompt)),
    JSON.stringify(task.tools),
    JSON.stringify(task.eval),
    JSON.stringify(task.features),
  ]);
}

export interface TaskRow extends TaskHead {
  row: number;
  seedId: string | null;
}

interface TaskBodyRow extends TaskRow {
  prompt: string;
  tools: string;
  eval: string;
  features: string;
}

export const TASK_HEAD =
  'tasks.row, tasks.id, tasks.seed_id AS seedId, tasks.root_id AS rootId, tasks.origin, tasks.epoch, tasks.structure';
const TASK = `SELECT ${TASK_HEAD}, prompt, tools, eval, features FROM tasks JOIN task_bodies ON task_row = tasks.row`;

export function readTask(db: Connection, id: string): Task | undefined {
  const found = db.get<TaskBodyRow>(`${TASK} WHERE tasks.id = ?`, [id]);
  return found && taskFrom(found);
}

/** All tasks, in order of birth. */
export function* streamTasks(db: Connection): Generator<Task> {
  for (const found of streamRows<TaskBodyRow>(db, { table: 'tasks', select: TASK, where: 'true', values: [] })) {
    yield taskFrom(found);
  }
}

export function* taskHeads(db: Connection, origins: readonly Origin[], before: number): Generator<TaskHead> {
  const heads = streamRows<TaskRow>(db, {
    table: 'tasks',
    select: `SELECT ${TASK_HEAD} FROM tasks`,
    where: `tasks.origin IN (${origins.map(() => '?').join(', ')}) AND tasks.epoch < ?`,
    values: [...origins, before],
  });
  for (const head of heads) yield headOf(head);
}

export const headOf = ({ id, rootId, origin, epoch, structure }: TaskHead): TaskHead => ({
  id,
  rootId,
  origin,
  epoch,
  structure,
});

/** The JSON is our own: writeTask wrote it from a Task. */
function taskFrom({ prompt, tools, eval: spec, features, ...head }: TaskBodyRow): Task {
  const { id, seedId, rootId, origin, epoch, structure } = head;
  return {
    id,
    seedId,
    rootId,
    origin,
    epoch,
    prompt: JSON.parse(prompt),
    tools: JSON.parse(tools),
    eval: JSON.parse(spec),
    features: JSON.parse(features),
    structure,
  };
}
