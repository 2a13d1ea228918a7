/** The reading half of the journal: the same for the run's writer and for readers in other processes. */
import type { Journal } from '../core/journal.ts';
import type { Group, Json, Role } from '../core/types.ts';
import type { Connection } from './connection.ts';
import { poolEntries, scores } from './curriculum.ts';
import { generationHeads, readGeneration, readTurn, writtenTasks } from './generations.ts';
import { lineage, outcomes, readExperience, readGroup } from './groups.ts';
import { readCheckpoint, readCursor, readLedger, readMeta, readMetric, readMetrics } from './progress.ts';
import { readTask, taskHeads } from './tasks.ts';

export interface Reads extends Omit<Journal, 'commit'> {
  /** What was recorded when the run was created: configuration, seed, versions. */
  meta(): Record<string, Json>;
  /** One group with its traces; of several roles in one epoch the first written, unless `role` is given. */
  group(epoch: number, taskId: string, role?: Role): Group | undefined;
}

export function reads(db: Connection): Reads {
  return {
    meta: () => readMeta(db),
    cursor: () => readCursor(db),
    ledger: () => readLedger(db),
    task: (id) => readTask(db, id),
    heads: (origins, before) => taskHeads(db, origins, before),
    written: (epoch) => writtenTasks(db, epoch),
    lineage: (rootId, from, before) => lineage(db, rootId, from, before),
    outcomes: (epoch, role) => outcomes(db, epoch, role),
    group: (epoch, taskId, role) => readGroup(db, epoch, taskId, role),
    experience: (epoch, taskId) => readExperience(db, epoch, taskId),
    turn: (generationId) => readTurn(db, generationId),
    generationHeads: (epoch) => generationHeads(db, epoch),
    generation: (id) => readGeneration(db, id),
    scores: (epoch) => scores(db, epoch),
    pool: (player) => poolEntries(db, player),
    checkpoint: (player) => readCheckpoint(db, player),
    metric: (key, epoch) => readMetric(db, key, epoch),
    metrics: (epoch) => readMetrics(db, epoch),
  };
}
