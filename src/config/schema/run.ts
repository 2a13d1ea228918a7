/** Settings of the run as a whole. */
import * as z from 'zod';
import { presets, robust } from '../presets.ts';
import type { PresetName, Variant } from '../types.ts';
import { count } from './ranges.ts';

const variants: Record<Variant | 'random' | 'static', Variant> = {
  genenv: 'genenv',
  'genenv-random': 'genenv-random',
  'genenv-static': 'genenv-static',
  'teacher-offline': 'teacher-offline',
  base: 'base',
  random: 'genenv-random',
  static: 'genenv-static',
};

interface RunShape {
  name: z.ZodExactOptional<z.ZodType<string>>;
  preset: z.ZodType<PresetName>;
  seed: z.ZodType<number>;
  epochs: z.ZodType<number>;
  concurrency: z.ZodType<number>;
  variant: z.ZodType<Variant>;
}

export const run: RunShape = {
  name: z
    .string()
    .regex(
      /^(?!\.)[A-Za-z0-9._-]{1,80}$/,
      'must be 1 to 80 letters, digits, dots, dashes or underscores, and not start with a dot',
    )
    .exactOptional()
    .describe('Name of the run and of its folder; one is made up when absent.'),
  preset: z
    .enum(Object.keys(presets) as PresetName[])
    .default('robust')
    .describe(
      'Where settings not given come from: `robust` closes the holes of the paper, `quick` and `full` are shorter and longer, `paper` follows it to the letter.',
    ),
  seed: z.int().min(0).default(1).describe('Decides every random choice of the run.'),
  epochs: count().default(robust.epochs).describe('Turns of the co-evolution loop (Algorithm 1).'),
  concurrency: z
    .int()
    .min(1)
    .max(4096)
    .default(16)
    .describe('Engine requests in flight; changes the speed, never the result.'),
  variant: z
    .enum(Object.keys(variants) as (keyof typeof variants)[])
    .transform((name) => variants[name])
    .prefault('genenv')
    .describe(
      'What is compared: `genenv` in full, `genenv-random` (simulator never trained), `genenv-static` (variations written once), `teacher-offline` (a teacher writes once), `base` (no synthetic data).',
    ),
};
