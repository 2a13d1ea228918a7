/**
 * Every setting of a run with its range, its default and one sentence of meaning, put together from the sections beside it.
 * The loader, the editor's JSON Schema and the reference page are all read off it. Paper symbols live in `curriculum`.
 */
import * as z from 'zod';
import { benchmark } from './schema/benchmark.ts';
import { curriculum, generation } from './schema/curriculum.ts';
import { evaluation, fixed, pools } from './schema/data.ts';
import { engine, writer } from './schema/engine.ts';
import { metrics } from './schema/metrics.ts';
import { agent, environment, rollout } from './schema/players.ts';
import { run } from './schema/run.ts';
import type { Config } from './types.ts';

/** Paths in a file are relative to that file; elsewhere, to the working folder. */
export const pathSettings: ReadonlySet<string> = new Set([
  'benchmark.seeds',
  'benchmark.validation',
  'benchmark.test',
  'benchmark.corpus',
  'benchmark.search',
  'engine.model',
  'engine.tokenizer',
  'engine.environmentTokenizer',
  'engine.recording',
  'engine.record',
]);

const sections = z.strictObject({
  ...run,
  benchmark,
  engine,
  writer,
  curriculum,
  generation,
  rollout,
  agent,
  environment,
  pools,
  fixed,
  evaluation,
  metrics,
});

/** Worlds that teach models which start from nothing. */
const schools: readonly string[] = ['errands', 'letters'];

export const schema: z.ZodType<Config> = sections.superRefine(
  ({ engine: { kind, ...rest }, benchmark: { name }, variant, writer: author }, context) => {
    if (kind === 'local' && !('model' in rest) && !schools.includes(name)) {
      const path = ['engine', 'model'];
      const message = `is needed for the benchmark ${name}: a new model would not know its language. Name a model folder, or use the benchmark ${schools.join(' or ')}`;
      context.addIssue({ code: 'custom', path, message });
    }
    if (author && variant === 'genenv') {
      const path = ['writer', 'url'];
      const message =
        'names a server in place of the simulator, but the variant genenv trains its simulator, which no such server allows. Use the variant genenv-random, genenv-static or teacher-offline, or remove writer';
      context.addIssue({ code: 'custom', path, message });
    }
  },
);
