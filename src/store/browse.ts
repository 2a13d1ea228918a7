/** What a person who looks at a run asks of it: charts, lists and trees. Each is one indexed query or a few. */
import { type BatchRow, batches, type StructureRow, structures, type VariationRow, variations } from './batches.ts';
import type { Connection } from './connection.ts';
import { type EpochFacts, epochFacts, type Marks, marks, wholeEpochMetrics } from './epoch-facts.ts';
import { lastNotes } from './last-notes.ts';
import { type PoolGrowth, poolGrowth, poolSizes } from './pool-sizes.ts';
import type { NoteRow } from './reader.ts';
import { type Relatives, relatives } from './relatives.ts';
import {
  endsOf,
  type MetricSummary,
  metricSummaries,
  type Series,
  type SeriesPage,
  series,
  seriesPage,
} from './series.ts';
import {
  type RejectionFilter,
  type RejectionRow,
  rejections,
  type TaskFilter,
  type TaskListRow,
  taskList,
} from './task-list.ts';

export interface Browse {
  /** A number that changes with every commit of another process: cheap enough to ask several times a second. */
  version(): number;
  marks(): Marks;
  epochFacts(epoch: number): EpochFacts;
  wholeEpochMetrics(after: number): { epoch: number; key: string; value: number }[];
  series(key: string, after?: number, limit?: number): Series;
  /** A series from the beginning, in order, a page at a time. */
  seriesPage(key: string, page: SeriesPage): Series;
  metricSummaries(): MetricSummary[];
  endsOf(key: string): { first: number | null; last: number | null };
  poolGrowth(): PoolGrowth[];
  poolSizes(): { agent: number; environment: number };
  batches(epoch: number, page?: { after?: number; limit?: number }): (BatchRow & { row: number })[];
  variations(epoch: number, seedId: string): VariationRow[];
  structures(epoch: number, limit?: number): StructureRow[];
  taskList(filter?: TaskFilter): TaskListRow[];
  rejections(filter?: RejectionFilter): RejectionRow[];
  relatives(taskId: string): Relatives;
  /** The newest notes of a kind, newest first. */
  lastNotes(kind: string, limit: number): NoteRow[];
}

export const browse = (db: Connection): Browse => ({
  version: () => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0,
  marks: () => marks(db),
  epochFacts: (epoch) => epochFacts(db, epoch),
  wholeEpochMetrics: (after) => wholeEpochMetrics(db, after),
  series: (key, after = 0, limit) => series(db, key, after, limit),
  seriesPage: (key, page) => seriesPage(db, key, page),
  metricSummaries: () => metricSummaries(db),
  endsOf: (key) => endsOf(db, key),
  poolGrowth: () => poolGrowth(db),
  poolSizes: () => poolSizes(db),
  batches: (epoch, page) => batches(db, epoch, page),
  variations: (epoch, seedId) => variations(db, epoch, seedId),
  structures: (epoch, limit) => structures(db, epoch, limit),
  taskList: (filter) => taskList(db, filter),
  rejections: (filter) => rejections(db, filter),
  relatives: (taskId) => relatives(db, taskId),
  lastNotes: (kind, limit) => lastNotes(db, kind, limit),
});
