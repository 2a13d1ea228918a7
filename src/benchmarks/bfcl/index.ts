/** BFCL: which calls a turn of a long conversation asks for, and the single-turn questions of the same leaderboard. */
import type { Benchmark } from '../../core/benchmark.ts';
import { contextOf, readTask } from './environment.ts';
import type { History } from './prompt.ts';
import { features, sessionOf, splitsOf, stratumOf, structure } from './tasks.ts';

export { readJson } from './exact-json.ts';
export { type BfclExamOptions, bfclExams } from './exams.ts';
export { HISTORIES, type History } from './prompt.ts';
export { BFCL_SCRIPTS, bfclScripts } from './scripts.ts';
export { BFCL_SOURCES } from './sources.ts';
export { judgeVector } from './vectors.ts';

export interface BfclOptions {
  /** BFCL's own folder. */
  data: string;
  /** How many of the 544 training turns to start from. */
  baseTasks?: number;
  /** How much of the earlier turns is shown. */
  history?: History;
}

export function bfclBenchmark({ data, baseTasks = 544, history = 'calls+results' }: BfclOptions): Benchmark {
  const splits = splitsOf(data, history);
  return {
    name: 'bfcl',
    base: () => splits.base(baseTasks),
    validation: splits.validation,
    test: splits.test,
    stratum: stratumOf,
    context: contextOf,
    read: readTask,
    features,
    structure,
    session: sessionOf,
  };
}
