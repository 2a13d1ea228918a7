/**
 * The errands world: requests in controlled English, carried out by calling tools. A grammar deep enough to climb, small
 * enough that two transformers which start from nothing learn it in minutes.
 */
import { agentReward } from '../../core/agent-reward.ts';
import type { Benchmark } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import { read } from './read.ts';
import { contextOf, corpus, demonstrations, observe, rateInWords } from './school.ts';
import { readCalls } from './shorthand.ts';
import { teacher } from './teacher.ts';
import { baseTasks, draftOf, features, heldOutTasks, requestOf, structure } from './tasks.ts';

export interface ErrandsOptions {
  baseTasks?: number;
  validationTasks?: number;
}

export function errandsBenchmark({ baseTasks: base = 544, validationTasks = 256 }: ErrandsOptions = {}): Benchmark {
  return {
    name: 'errands',
    base: async () => baseTasks(base),
    validation: async () => heldOutTasks('validation', validationTasks),
    context: ({ seed, lineage, target }) => contextOf(seed.prompt.at(-1)!.content, achieved(lineage), target.alpha),
    read: (text) => {
      const request = read(text);
      return 'problem' in request ? request : draftOf(request);
    },
    features,
    structure,
    session: (task) => {
      const request = requestOf(task.prompt);
      if ('problem' in request || !features(task).asks || task.eval.kind !== 'toolCalls') return undefined;
      const text = task.prompt.at(-1)!.content;
      let left = task.eval.target.length;
      return {
        call: (call) => ({ content: observe(call, text), done: --left <= 0 }),
        // Whoever runs out of turns has not done it either.
        judge: (answer) => agentReward(answer, task.eval),
      };
    },
    school: { corpus, demonstrations, readCalls, teacher, steps: { agent: 2500, environment: 600 } },
  };
}

function achieved(lineage: Brief['lineage']): string {
  const attempts = lineage.reduce((sum, l) => sum + l.attempts, 0);
  return attempts === 0 ? 'new' : rateInWords(lineage.reduce((sum, l) => sum + l.successes, 0) / attempts);
}
