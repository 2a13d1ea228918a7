/**
 * Streams of any length in flat memory. Each page is a query of its own that starts after the last row seen, so a consumer
 * may commit, start other streams or walk away in the middle: nothing stays open. A stream shows the rows that were
 * there when it was first pulled; what is written meanwhile belongs to the next one.
 */
import type { Connection, Value } from './connection.ts';

const PAGE_ROWS = 500;
/** For rows that carry a body, which may be large. */
export const BODY_PAGE_ROWS = 32;

export interface RowQuery {
  /** The table whose `row` gives the order; named so in `select`. */
  table: string;
  /** SELECT … FROM …, with that row id among the columns as `row`. */
  select: string;
  where: string;
  values: readonly Value[];
  pageRows?: number;
}

export function* streamRows<Row extends { row: number }>(db: Connection, query: RowQuery): Generator<Row> {
  const { table, select, where, values, pageRows = PAGE_ROWS } = query;
  const last = db.get<{ last: number }>(`SELECT coalesce(max(row), 0) AS last FROM ${table}`)?.last ?? 0;
  const sql = `${select} WHERE ${where} AND ${table}.row > ? AND ${table}.row <= ? ORDER BY ${table}.row LIMIT ?`;
  let after = 0;
  for (;;) {
    const page = db.all<Row>(sql, [...values, after, last, pageRows]);
    yield* page;
    if (page.length < pageRows) return;
    after = page.at(-1)!.row;
  }
}

export interface KeyedQuery {
  select: string;
  /** Columns of a unique index, none of them null, selected under these names. */
  key: readonly string[];
  where?: string;
  pageRows?: number;
}

/** In the order of a natural key instead of the order of writing. For a settled view, read it inside a transaction. */
export function* streamByKey<Row extends Record<string, Value | ArrayBuffer>>(
  db: Connection,
  { select, key, where = 'true', pageRows = PAGE_ROWS }: KeyedQuery,
): Generator<Row> {
  const columns = key.join(', ');
  const marks = key.map(() => '?').join(', ');
  let last: Row | undefined;
  for (;;) {
    const beyond = last ? `(${columns}) > (${marks})` : 'true';
    const after: Value[] = last ? key.map((column) => last![column] as Value) : [];
    const page: Row[] = db.all<Row>(`${select} WHERE ${where} AND ${beyond} ORDER BY ${columns} LIMIT ?`, [
      ...after,
      pageRows,
    ]);
    yield* page;
    if (page.length < pageRows) return;
    last = page.at(-1);
  }
}
