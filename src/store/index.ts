/** `genenv/store`: a run's memory, for programs that read or write runs themselves. */

export type { BatchRow, StructureRow, VariationRow } from './batches.ts';
export type { Browse } from './browse.ts';
export { digest } from './digest.ts';
export type { EpochFacts, Marks } from './epoch-facts.ts';
export { StoreError, type StoreErrorKind } from './errors.ts';
export { type ExportedFile, type ExportOptions, exportRun } from './export.ts';
export { EXPORT_TABLES, type ExportTable } from './export-tables.ts';
export { createRun, type JournalOptions, openJournal, type RunJournal } from './journal.ts';
export { isBeingWritten, lockRun } from './lock.ts';
export type { Passport } from './passport.ts';
export type { PoolGrowth } from './pool-sizes.ts';
export {
  type CheckpointRow,
  type MetricRow,
  type NoteRow,
  openReader,
  type Page,
  type RunReader,
  type TaskQuery,
} from './reader.ts';
export type { Reads } from './reads.ts';
export type { Relative, Relatives } from './relatives.ts';
export { checkExists, hasRun } from './run-file.ts';
export type { MetricSummary, Series } from './series.ts';
export type { RejectionFilter, RejectionRow, TaskFilter, TaskListRow, TaskVerdict } from './task-list.ts';
export type { TaskRow } from './tasks.ts';
