/** How far a run is, and whether somebody is playing it now. */
import type { Cursor } from './core/journal.ts';
import { isBeingWritten, type RunReader } from './store/index.ts';
import { completedEpochs } from './summary.ts';

export interface RunStatus {
  status: 'finished' | 'stopped' | 'running';
  /** The last commit; null before the first one. */
  at: Cursor | null;
  epochs: { done: number; of: number };
}

export function statusOf(reader: RunReader, epochs: number): RunStatus {
  const at = reader.cursor() ?? null;
  const isOver = at !== null && at.phase === 'aggregate' && at.done >= at.units && at.epoch >= epochs;
  return {
    status: isBeingWritten(reader.folder) ? 'running' : isOver ? 'finished' : 'stopped',
    at,
    // A run can be trained further than it was configured for.
    epochs: { done: completedEpochs(reader), of: Math.max(epochs, at?.epoch ?? 0) },
  };
}
