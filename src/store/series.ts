/** One metric over the whole run, read in bulk: as JSON, because the driver is slower to hand over rows than SQLite to find them. */
import type { Connection, Value } from './connection.ts';

export interface Series {
  epochs: number[];
  /** 0 for a number about a whole epoch. */
  steps: number[];
  values: number[];
  /** The row of the last point, to ask for the points after it. */
  row: number;
}

/** The points of a metric after a row, in the order of writing; from the beginning in the order of epochs and steps. */
export function series(db: Connection, key: string, after: number, limit: number = -1): Series {
  // The + keeps the planner on the index by key for a first reading; later ones find few rows after `after`.
  return bulk(
    db,
    `key = ? AND ${after === 0 ? '+row' : 'row'} > ? ORDER BY ${after === 0 ? 'epoch, step' : 'row'} LIMIT ?`,
    [key, after, limit],
    after,
  );
}

/** A place in a series, and how much to read from there. */
export interface SeriesPage {
  /** After this point. */
  epoch: number;
  step: number;
  /** Only what was written up to this row: what comes later belongs to the next reading. */
  row: number;
  limit: number;
}

export const seriesPage = (db: Connection, key: string, { epoch, step, row, limit }: SeriesPage): Series =>
  bulk(
    db,
    'key = ? AND (epoch, step) > (?, ?) AND +row <= ? ORDER BY epoch, step LIMIT ?',
    [key, epoch, step, row, limit],
    row,
  );

function bulk(db: Connection, which: string, values: readonly Value[], rowOfNone: number): Series {
  const found = db.get<{ epochs: string; steps: string; list: string; row: number | null }>(
    `SELECT json_group_array(epoch) AS epochs, json_group_array(step) AS steps, json_group_array(value) AS list,
       max(row) AS row
     FROM (SELECT row, epoch, step, value FROM metrics WHERE ${which})`,
    values,
  );
  if (!found || found.row === null) return { epochs: [], steps: [], values: [], row: rowOfNone };
  return {
    epochs: JSON.parse(found.epochs),
    steps: JSON.parse(found.steps),
    values: JSON.parse(found.list),
    row: found.row,
  };
}

export interface MetricSummary {
  key: string;
  points: number;
  /** Whether it is measured at optimizer steps, rather than once an epoch. */
  perStep: boolean;
  min: number;
  max: number;
}

/** Every metric of a run, by key. */
export function metricSummaries(db: Connection): MetricSummary[] {
  return db
    .all<Omit<MetricSummary, 'perStep'> & { perStep: number }>(
      `SELECT key, count(*) AS points, max(step) > 0 AS perStep, min(value) AS min, max(value) AS max
       FROM metrics GROUP BY key ORDER BY key`,
    )
    .map((found) => ({ ...found, perStep: found.perStep === 1 }));
}

/** Of a whole-epoch metric: the first and the last value, found by their index. */
export function endsOf(db: Connection, key: string): { first: number | null; last: number | null } {
  const end = (order: 'ASC' | 'DESC') =>
    db.get<{ value: number }>(`SELECT value FROM metrics WHERE key = ? AND step = 0 ORDER BY epoch ${order} LIMIT 1`, [
      key,
    ])?.value ?? null;
  return { first: end('ASC'), last: end('DESC') };
}
