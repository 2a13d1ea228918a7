/** What can be exported, column by column. `docs/export.md` describes each; a test keeps the two together. */
import type { Json, Role } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { SCORE, type ScoreRow } from './curriculum.ts';
import { readGeneration } from './generations.ts';
import { unpack } from './pack.ts';
import { BODY_PAGE_ROWS, streamRows } from './stream.ts';
import { streamTasks } from './tasks.ts';
import { decodeTraces } from './trace-codec.ts';

export const EXPORT_TABLES = ['tasks', 'traces', 'env-sft', 'metrics'] as const;
export type ExportTable = (typeof EXPORT_TABLES)[number];

/** `json` is any JSON value; `ids` and `floats` hold one list a turn. */
export type ColumnType = 'string' | 'json' | 'int' | 'double' | 'boolean' | 'ids' | 'floats';

export interface Column {
  name: string;
  type: ColumnType;
  nullable?: true;
}

export type Cell = Json | undefined | readonly Int32Array[] | readonly Float32Array[] | object;

export interface Table {
  columns: readonly Column[];
  rows(db: Connection): Iterable<Record<string, Cell>>;
}

const column = (name: string, type: ColumnType): Column => ({ name, type });
const maybe = (name: string, type: ColumnType): Column => ({ name, type, nullable: true });

const tasks: Table = {
  columns: [
    column('id', 'string'),
    maybe('seedId', 'string'),
    column('rootId', 'string'),
    column('origin', 'string'),
    column('epoch', 'int'),
    column('structure', 'string'),
    column('prompt', 'json'),
    column('tools', 'json'),
    column('eval', 'json'),
    column('features', 'json'),
    maybe('quarantine', 'string'),
  ],
  *rows(db) {
    for (const task of streamTasks(db)) {
      const found = db.get<{ reason: string }>('SELECT reason FROM quarantine WHERE task_id = ?', [task.id]);
      yield { ...task, quarantine: found && (JSON.parse(found.reason) as string) };
    }
  },
};

const TRACE_COLUMNS: readonly Column[] = [
  column('epoch', 'int'),
  column('taskId', 'string'),
  column('role', 'string'),
  column('index', 'int'),
  column('policy', 'string'),
  column('reward', 'double'),
  column('success', 'boolean'),
  column('valid', 'boolean'),
  column('stop', 'string'),
  maybe('error', 'string'),
  column('answer', 'json'),
  column('messages', 'json'),
];

const TOKEN_COLUMNS: readonly Column[] = [
  column('promptIds', 'ids'),
  column('tokenIds', 'ids'),
  column('logprobs', 'floats'),
];

interface GroupRow {
  row: number;
  epoch: number;
  taskId: string;
  role: Role;
  body: ArrayBuffer;
}

function tracesTable(tokens: boolean): Table {
  return {
    columns: tokens ? [...TRACE_COLUMNS, ...TOKEN_COLUMNS] : TRACE_COLUMNS,
    *rows(db) {
      const groups = streamRows<GroupRow>(db, {
        table: 'groups',
        select: `SELECT groups.row, epoch, task_id AS taskId, role, body
          FROM groups JOIN group_bodies ON group_row = groups.row`,
        where: 'true',
        values: [],
        pageRows: BODY_PAGE_ROWS,
      });
      for (const { epoch, taskId, role, body } of groups) {
        for (const { turns, messages, ...trace } of decodeTraces(unpack(body))) {
          yield {
            epoch,
            taskId,
            role,
            ...trace,
            messages: messages.map(({ tokens: _, ...message }) => message),
            promptIds: turns.map((turn) => turn.prompt),
            tokenIds: turns.map((turn) => turn.tokens),
            logprobs: turns.map((turn) => turn.logprobs),
          };
        }
      }
    },
  };
}

/** What the environment learns from under RWR: the generations that were kept, with their weights. */
const envSft: Table = {
  columns: [
    column('epoch', 'int'),
    column('generationId', 'string'),
    column('seedId', 'string'),
    maybe('taskId', 'string'),
    column('author', 'string'),
    column('context', 'json'),
    column('text', 'string'),
    column('weight', 'double'),
    column('successRate', 'double'),
    column('envReward', 'double'),
  ],
  *rows(db) {
    const kept = streamRows<ScoreRow>(db, { table: 'scores', select: SCORE, where: 'kept = 1', values: [] });
    for (const { epoch, generationId, taskId, weight, successRate, envReward } of kept) {
      const generation = readGeneration(db, generationId);
      if (!generation) continue;
      const { seedId, author, context, text } = generation;
      yield { epoch, generationId, seedId, taskId, author, context, text, weight, successRate, envReward };
    }
  },
};

const metrics: Table = {
  columns: [column('key', 'string'), column('epoch', 'int'), column('step', 'int'), column('value', 'double')],
  rows: (db) =>
    streamRows(db, {
      table: 'metrics',
      select: 'SELECT row, key, epoch, step, value FROM metrics',
      where: 'true',
      values: [],
    }),
};

export function exportTable(table: ExportTable, tokens: boolean): Table {
  switch (table) {
    case 'tasks':
      return tasks;
    case 'traces':
      return tracesTable(tokens);
    case 'env-sft':
      return envSft;
    case 'metrics':
      return metrics;
    default:
      return table satisfies never;
  }
}
