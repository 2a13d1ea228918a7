/**
 * The errands world: requests in controlled English, carried out by calling tools. A grammar deep enough to climb, small
 * enough that two transformers which start from nothing learn it in minutes.
 */
import type { Benchmark } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import { looksLikeJson, readJsonTask } from './json-task.ts';
import { read } from './read.ts';
import { contextOf, corpus, demonstrations, rateInWords } from './school.ts';
import { sessionOf } from './session.ts';
import { readCalls } from './shorthand.ts';
import { baseTasks, stratumOf, testTasks, validationTasks } from './splits.ts';
import { draftOf, features, structure } from './tasks.ts';
import { teacher } from './teacher.ts';

export interface ErrandsOptions {
  baseTasks?: number;
}

export function errandsBenchmark({ baseTasks: base = 544 }: ErrandsOptions = {}): Benchmark {
  return {
    name: 'errands',
    base: async () => baseTasks(base),
    validation: async () => validationTasks(),
    test: async () => testTasks(),
    stratum: stratumOf,
    context: ({ seed, lineage, target }) => contextOf(seed.prompt.at(-1)!.content, achieved(lineage), target.alpha),
    read: (text) => {
      if (looksLikeJson(text)) return readJsonTask(text);
      const request = read(text);
      return 'problem' in request ? request : draftOf(request);
    },
    features,
    structure,
    session: sessionOf,
    school: { corpus, demonstrations, readCalls, teacher, steps: { agent: 2500, environment: 600 } },
  };
}

function achieved(lineage: Brief['lineage']): string {
  const attempts = lineage.reduce((sum, l) => sum + l.attempts, 0);
  return attempts === 0 ? 'new' : rateInWords(lineage.reduce((sum, l) => sum + l.successes, 0) / attempts);
}
