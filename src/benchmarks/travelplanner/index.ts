/**
 * TravelPlanner: plan a trip from reference information, under a budget and the traveller's wishes. Training starts from the
 * 45 annotated queries; validation is the 105 queries with reference information, which only ever measure: the data set's
 * authors allow no feedback from them in training.
 */
import type { Benchmark } from '../../core/benchmark.ts';
import { openData, type TravelData } from './data.ts';
import { contextOf, readGenerated } from './environment.ts';
import { REFERENCE_CHARACTERS, rowTask, stratumOf, structureOf } from './tasks.ts';
import { worldOf } from './world.ts';

export { type TravelPlannerExamOptions, travelplannerExams } from './exams.ts';
export { travelplannerScripts } from './scripts.ts';
export { TRAVELPLANNER_SOURCES } from './sources.ts';
export { judgeVector } from './vectors.ts';

export interface TravelPlannerOptions {
  /** The benchmark's own folder. */
  data: string;
  /** How many of the 45 training queries to start from. */
  baseTasks?: number;
  /** Characters of reference information in a prompt; rows beyond it are left out by lot, the known plan's never. */
  referenceCharacters?: number;
  /** Judge plans as they stand, without clean-ups. */
  strict?: boolean;
}

export function travelplannerBenchmark(options: TravelPlannerOptions): Benchmark {
  const { baseTasks = 45, referenceCharacters = REFERENCE_CHARACTERS, strict = false } = options;
  let opened: TravelData | undefined;
  const data = () => {
    opened ??= openData(options.data);
    return opened;
  };
  const tasks = (split: 'train' | 'validation') =>
    data()
      .rows(split)
      .map((row) => rowTask(row, split === 'train' ? 'base' : 'validation', data(), referenceCharacters));
  return {
    name: 'travelplanner',
    base: async () => tasks('train').slice(0, baseTasks),
    validation: async () => tasks('validation'),
    stratum: stratumOf,
    context: (brief) => contextOf(brief, data()),
    read: (text) => readGenerated(text, data(), referenceCharacters),
    structure: structureOf,
    session: (task) => worldOf(task, data().database, { strict }),
  };
}
