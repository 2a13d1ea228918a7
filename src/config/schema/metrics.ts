/** Other tools that a run reports to. */
import * as z from 'zod';
import type { Config } from '../types.ts';

const address = (): z.ZodString =>
  z.string().regex(/^https?:\/\/[^@\s]+$/, 'must be an http or https address without a user name or password');

/** `tensorboard` is short for `{ kind: tensorboard }`. */
const sink = z.preprocess(
  (value) => (typeof value === 'string' ? { kind: value } : value),
  z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('tensorboard') }),
      z.strictObject({
        kind: z.literal('mlflow'),
        url: address().exactOptional().describe('Tracking server; MLFLOW_TRACKING_URI when absent.'),
        experiment: z.string().min(1).max(200).default('genenv').describe('Experiment that the run is filed under.'),
      }),
      z.strictObject({
        kind: z.literal('otel'),
        endpoint: address()
          .exactOptional()
          .describe('OTLP over HTTP; OTEL_EXPORTER_OTLP_ENDPOINT or localhost:4318 when absent.'),
        engineCalls: z.boolean().default(true).describe('Whether each call of the engine is a span too.'),
      }),
    ],
    { error: 'must be one of tensorboard, mlflow, otel' },
  ),
);

export const metrics: z.ZodType<Config['metrics']> = z
  .strictObject({
    sinks: z
      .array(sink)
      .max(16)
      .prefault([])
      .describe(
        'Where metrics go beside the store: `tensorboard` (event files in the run folder), `mlflow` (a tracking server, with `url` and `experiment`) or `otel` (spans over OTLP, with `endpoint` and `engineCalls`).',
      ),
  })
  .prefault({})
  .describe('Other tools that a run reports to.');
