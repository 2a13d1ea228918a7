/**
 * ALFWorld: household tasks in text. A native simulator plays the official games; the paper's exam is their walkthroughs step
 * by step, and training plays whole games, the official ones and those that the simulator policy furnishes.
 */
import type { Benchmark } from '../../core/benchmark.ts';
import type { Dialect } from './action.ts';
import { contextOf, readScene } from './environment.ts';
import { features, readSplits, type Splits, sessionOf, stratumOf, structure, WORLD_NAME } from './tasks.ts';

export { type AlfworldExamOptions, alfworldExams } from './exams.ts';
export { prepare } from './release.ts';
export { ALFWORLD_SCRIPTS } from './scripts.ts';
export { ALFWORLD_SOURCES } from './sources.ts';
export { judgeVector } from './vectors.ts';

export interface AlfworldOptions {
  /** The folder with the worlds files. */
  data: string;
  /** Training games to start from, of all kinds alike. */
  baseTasks?: number;
  dialect?: Dialect;
}

export function alfworldBenchmark({ data, baseTasks = 544, dialect = 'new' }: AlfworldOptions): Benchmark {
  let read: Promise<Splits> | undefined;
  const splits = () => {
    read ??= readSplits(data, baseTasks, dialect);
    return read;
  };
  return {
    name: WORLD_NAME,
    base: async () => (await splits()).base,
    validation: async () => (await splits()).validation,
    test: async () => (await splits()).test,
    stratum: stratumOf,
    context: contextOf,
    read: (text, seed) => readScene(text, seed, dialect),
    features,
    structure,
    session: (task) => sessionOf(task, dialect),
  };
}
