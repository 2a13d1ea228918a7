/** `genenv/store`: a run's memory, for programs that read or write runs themselves. */
export { StoreError, type StoreErrorKind } from './errors.ts';
export { createRun, type JournalOptions, openJournal, type RunJournal } from './journal.ts';
export type { Reads } from './reads.ts';
export { hasRun } from './run-file.ts';
