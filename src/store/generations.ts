/** What the environment wrote, accepted or not: (context → text → verdict → task). */
import { createHash } from 'node:crypto';
import type { GenerationHead, Ledger, TaskHead } from '../core/journal.ts';
import type { Generation, Turn } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { pack, unpack, unpackNumbers } from './pack.ts';
import { streamRows } from './stream.ts';
import { headOf, readTask, TASK_HEAD, type TaskRow, writeTask } from './tasks.ts';
import { plainMessages } from './trace-codec.ts';

const NO_FLOATS = new Float32Array(0);

/** A writer for one commit that looks a context up once for the variations that share it. */
export function generationWriter(db: Connection, spent: Ledger): (generation: Generation) => void {
  let last: { context: unknown; prompt: unknown; row: number } | undefined;
  return (generation) => {
    const { id, epoch, seedId, author, context, text, turn, verdict } = generation;
    // Only what was accepted is a task; of what was rejected the text remains.
    const task = verdict.kind === 'accepted' ? generation.task : null;
    if (task) writeTask(db, task);
    if (last?.context !== context || last.prompt !== turn.prompt) {
      last = { context, prompt: turn.prompt, row: writeContext(db, generation) };
    }
    const row = db.run(
      `INSERT INTO generations (id, epoch, seed_id, author, task_id, verdict, tokens, context_row)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, epoch, seedId, author, task?.id ?? null, JSON.stringify(verdict), turn.tokens.length, last.row],
    );
    const body = pack({ json: JSON.stringify(text), ints: turn.tokens, floats: turn.logprobs });
    db.run('INSERT INTO generation_bodies VALUES (?, ?)', [row, body]);
    spent.generations += 1;
    spent.environmentTokens += turn.tokens.length;
    if (verdict.kind === 'rejected') spent.rejectedGenerations += 1;
  };
}

function writeContext(db: Connection, { context, turn }: Generation): number {
  const json = JSON.stringify(plainMessages(context));
  const hash = createHash('sha256').update(json).update(turn.prompt).digest();
  const known = db.get<{ row: number }>('SELECT row FROM contexts WHERE hash = ?', [hash]);
  if (known) return known.row;
  const body = pack({ json, ints: turn.prompt, floats: NO_FLOATS });
  return db.run('INSERT INTO contexts (hash, body) VALUES (?, ?)', [hash, body]);
}

interface GenerationRow {
  row: number;
  id: string;
  epoch: number;
  seedId: string;
  author: Generation['author'];
  taskId: string | null;
  verdict: string;
  context: ArrayBuffer;
  body: ArrayBuffer;
}

const GENERATION = `SELECT generations.row, id, epoch, seed_id AS seedId, author, task_id AS taskId, verdict,
    contexts.body AS context, generation_bodies.body
  FROM generations JOIN contexts ON contexts.row = context_row JOIN generation_bodies ON generation_row = generations.row`;

export function readGeneration(db: Connection, id: string): Generation | undefined {
  const found = db.get<GenerationRow>(`${GENERATION} WHERE id = ?`, [id]);
  return found && generationFrom(db, found);
}

function generationFrom(db: Connection, found: GenerationRow): Generation {
  const { id, epoch, seedId, author, taskId, verdict } = found;
  const context = unpack(found.context);
  const body = unpack(found.body);
  return {
    id,
    epoch,
    seedId,
    author,
    context: JSON.parse(context.json),
    text: JSON.parse(body.json),
    turn: { prompt: context.ints, tokens: body.ints, logprobs: body.floats },
    verdict: JSON.parse(verdict),
    task: taskId === null ? null : (readTask(db, taskId) ?? null),
  };
}

/** The ids of a generation, as training needs them. */
export function readTurn(db: Connection, id: string): Turn | undefined {
  const found = db.get<{ context: ArrayBuffer; body: ArrayBuffer }>(
    `SELECT contexts.body AS context, generation_bodies.body FROM generations
       JOIN contexts ON contexts.row = context_row JOIN generation_bodies ON generation_row = generations.row
     WHERE id = ?`,
    [id],
  );
  if (!found) return undefined;
  const { ints: tokens, floats: logprobs } = unpackNumbers(found.body);
  return { prompt: unpackNumbers(found.context).ints, tokens, logprobs };
}

export function* generationHeads(db: Connection, epoch: number): Generator<GenerationHead> {
  const heads = streamRows<GenerationHead & { row: number }>(db, {
    table: 'generations',
    select: `SELECT generations.row, generations.id, generations.seed_id AS seedId, generations.task_id AS taskId,
        coalesce(tasks.root_id, generations.seed_id) AS rootId, verdict ->> 'reason' AS rejected
      FROM generations LEFT JOIN tasks ON tasks.id = generations.seed_id`,
    where: 'generations.epoch = ?',
    values: [epoch],
  });
  for (const { row: _row, ...head } of heads) yield head;
}

/** A task born in an earlier epoch and written again in this one is written here too; twice in one epoch counts once. */
export function* writtenTasks(db: Connection, epoch: number): Generator<TaskHead> {
  const heads = streamRows<TaskRow>(db, {
    table: 'generations',
    select: `SELECT ${TASK_HEAD}, generations.row FROM generations JOIN tasks ON tasks.id = generations.task_id`,
    where: `generations.epoch = ? AND NOT EXISTS (
      SELECT 1 FROM generations AS earlier WHERE earlier.task_id = generations.task_id
        AND earlier.epoch = generations.epoch AND earlier.row < generations.row)`,
    values: [epoch],
  });
  for (const head of heads) yield headOf(head);
}
