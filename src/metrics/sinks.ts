/** Where a run's numbers go beside its store. The run tells of its events; each sink takes what it is for. */
import { createHash } from 'node:crypto';
import type { TrainingEngine } from '../core/engine.ts';
import type { RunEvent } from '../core/events.ts';
import type { Json } from '../core/types.ts';
import { type Exporter, exporter } from './exporter.ts';
import { openMarks } from './marks.ts';
import { mlflowSink } from './mlflow.ts';
import type { EndStatus, MetricRow, ScalarSink } from './scalars.ts';
import { otlpTarget, spanExporter } from './spans.ts';
import { tensorboardSink } from './tensorboard.ts';
import { traceRun } from './trace-run.ts';

export type SinkSettings =
  | { kind: 'tensorboard' }
  | { kind: 'mlflow'; url?: string; experiment: string }
  | { kind: 'otel'; endpoint?: string; engineCalls: boolean };

export interface SinksOptions {
  sinks: readonly SinkSettings[];
  folder: string;
  run: string;
  /** When the run was created, as it was recorded; with the name it tells runs apart. */
  createdAt: string;
  config: Json;
  version: string;
  rows: (after: number, limit: number) => MetricRow[];
  /** Something the user should know, once for each sink. */
  tell: (problem: string) => void;
  env: Readonly<Record<string, string | undefined>>;
}

/** A sink that is not told where to send to. */
export class SinkError extends Error {
  override readonly name = 'SinkError';
}

export interface Sinks extends AsyncDisposable {
  event(event: RunEvent): void;
  /** The engine, with its calls traced where a sink asks for it. */
  traced<E extends TrainingEngine>(engine: E): E;
  /** Sends what is left. Disposing of sinks that were not closed says that the run failed. */
  close(status: EndStatus): Promise<void>;
}

export function openSinks(options: SinksOptions): Sinks {
  const marks = openMarks(options.folder);
  const { rows, tell } = options;
  const exporters: Exporter[] = options.sinks
    .flatMap((settings) => scalarSink(settings, options) ?? [])
    .map((sink) => exporter({ sink, marks, rows, tell, now: Date.now }));
  const traces = options.sinks.flatMap((settings) => (settings.kind === 'otel' ? [openTrace(settings, options)] : []));
  let closed = false;

  const close = async (status: EndStatus) => {
    if (closed) return;
    closed = true;
    for (const { trace } of traces) trace.end(status);
    await Promise.all([...exporters.map((one) => one.end(status)), ...traces.map(({ spans }) => spans.close())]);
  };
  return {
    event(event) {
      for (const { trace } of traces) trace.event(event);
      // Metrics are committed when a phase is over.
      if (event.type === 'progress' && event.done >= event.units) for (const one of exporters) one.poke();
    },
    traced: (engine) =>
      traces.filter(({ engineCalls }) => engineCalls).reduce((inner, { trace }) => trace.traced(inner), engine),
    close,
    [Symbol.asyncDispose]: () => close('failed'),
  };
}

function scalarSink(settings: SinkSettings, options: SinksOptions): ScalarSink | undefined {
  const { folder, run, config, env } = options;
  const createdAt = Date.parse(options.createdAt) || 0;
  switch (settings.kind) {
    case 'tensorboard':
      return tensorboardSink({ folder, createdAt });
    case 'mlflow': {
      const url = settings.url ?? env.MLFLOW_TRACKING_URI;
      if (!url || !/^https?:\/\//.test(url)) {
        throw new SinkError(
          'The mlflow sink needs the address of a tracking server: set its url, or MLFLOW_TRACKING_URI.',
        );
      }
      const { experiment } = settings;
      return mlflowSink({ url, experiment, run, runKey: keyOf(options), createdAt, config, env, now: Date.now });
    }
    case 'otel':
      return undefined;
    default:
      return settings satisfies never;
  }
}

function openTrace(settings: Extract<SinkSettings, { kind: 'otel' }>, options: SinksOptions) {
  const { env, version, tell, run } = options;
  const target = otlpTarget(settings.endpoint, env);
  if (!URL.canParse(target.url))
    throw new SinkError(`${JSON.stringify(target.url)} is no address of an OTLP endpoint.`);
  const service = env.OTEL_SERVICE_NAME || 'genenv';
  const spans = spanExporter({ ...target, service, version, traceId: keyOf(options).slice(0, 32), tell });
  return { spans, trace: traceRun(spans, run), engineCalls: settings.engineCalls };
}

/** The same for every process that plays the run, and for no other run. */
const keyOf = ({ run, createdAt }: SinksOptions): string =>
  createHash('sha256').update(`${run} ${createdAt}`).digest('hex');
