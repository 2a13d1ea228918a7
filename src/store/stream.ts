/**
 * Streams of any length in flat memory. Each page is a query of its own that starts after the last row seen, so a consumer
 * may commit, start other streams or walk away in the middle: nothing stays open. A stream shows the rows that were
 * there when it was first pulled; what is written meanwhile belongs to the next one.
 */
import type { Connection, Value } from './connection.ts';

const PAGE_ROWS = 500;

export interface RowQuery {
  /** The table whose `row` gives the order; named so in `select`. */
  table: string;
  /** SELECT … FROM …, with that row id among the columns as `row`. */
  select: string;
  where: string;
  values: readonly Value[];
}

export function* streamRows<Row extends { row: number }>(db: Connection, query: RowQuery): Generator<Row> {
  const { table, select, where, values } = query;
  const last = db.get<{ last: number }>(`SELECT coalesce(max(row), 0) AS last FROM ${table}`)?.last ?? 0;
  const sql = `${select} WHERE ${where} AND ${table}.row > ? AND ${table}.row <= ? ORDER BY ${table}.row LIMIT ?`;
  let after = 0;
  for (;;) {
    const page = db.all<Row>(sql, [...values, after, last, PAGE_ROWS]);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)!.row;
  }
}
