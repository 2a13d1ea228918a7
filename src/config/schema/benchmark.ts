/** Where tasks come from. */
import * as z from 'zod';
import type { Config } from '../types.ts';
import { count, path } from './ranges.ts';

const baseTasks = count().exactOptional().describe('Uses at most this many base tasks; all of them when absent.');

export const benchmark: z.ZodType<Config['benchmark']> = z
  .discriminatedUnion('name', [
    z.strictObject({ name: z.literal('errands'), baseTasks }),
    z.strictObject({ name: z.literal('letters'), baseTasks }),
    z.strictObject({ name: z.literal('toy'), baseTasks }),
    z.strictObject({
      name: z.literal('file'),
      seeds: path().describe('JSONL file of seed tasks for `file`, one a line.'),
      validation: path()
        .exactOptional()
        .describe('JSONL file of held-out tasks for `file`; nothing is evaluated without it.'),
      test: path()
        .exactOptional()
        .describe('JSONL file of tasks for `file` that the finished agent is judged on; see `evaluation.test`.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('bfcl'),
      history: z
        .enum(['calls+results', 'calls', 'users', 'none'])
        .exactOptional()
        .describe('What a turn of `bfcl` is shown of the turns before it; calls and results when absent.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('api-bank'),
      protocol: z
        .enum(['soft', 'strict'])
        .exactOptional()
        .describe('The verdict that training on `api-bank` rewards; `soft`, the one of the paper, when absent.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('alfworld'),
      showAdmissible: z
        .boolean()
        .exactOptional()
        .describe('Whether steps of `alfworld` are shown with the admissible commands; not when absent.'),
      dialect: z
        .enum(['new', 'old'])
        .exactOptional()
        .describe('The wording of whole games of `alfworld`: `new` (from release 0.4 on) when absent, or `old`.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('travelplanner'),
      strict: z
        .boolean()
        .exactOptional()
        .describe('Whether plans of `travelplanner` are judged as written, without the clean-ups; not when absent.'),
      referenceCharacters: count()
        .exactOptional()
        .describe('Characters of reference information in prompts that train on `travelplanner`.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('bamboogle'),
      corpus: path()
        .exactOptional()
        .describe('JSONL file of passages that searches of `bamboogle` look in; they find nothing without one.'),
      search: path()
        .exactOptional()
        .describe('YAML file that describes an HTTP search for `bamboogle`, instead of a corpus.'),
      baseTasks,
    }),
  ])
  .prefault({ name: 'errands' })
  .describe(
    "Where base and held-out tasks come from: `errands` (requests carried out by calling tools; the default of the local engine), `letters` (a tiny world, for tests), `toy` (the world of the scripted engine), a `file`, or one of the paper's benchmarks, whose data `genenv data pull` fetches.",
  );
