/**
 * A run's metrics in an MLflow tracking server, over its REST interface. The server's run is found again by a tag, and what is
 * sent twice after a kill is the same to the last bit, time stamps included, which MLflow keeps once.
 */
import type { Json } from '../core/types.ts';
import { fetchJson, HttpError, type JsonRequest } from './http.ts';
import { type EndStatus, place, type ScalarSink } from './scalars.ts';

export interface MlflowOptions {
  url: string;
  experiment: string;
  /** The name of the run, and what tells it from others of that name. */
  run: string;
  runKey: string;
  createdAt: number;
  /** The configuration, as parameters of the run. */
  config: Json;
  now: () => number;
  env: Readonly<Record<string, string | undefined>>;
}

const STATUS: Record<EndStatus, string> = { finished: 'FINISHED', stopped: 'KILLED', failed: 'FAILED' };
const TAG = 'genenv.run';
/** Of MLflow, for one request. */
const MAX_PARAMS = 100;
const MAX_VALUE = 500;

export function mlflowSink(options: MlflowOptions): ScalarSink {
  const { url, run, runKey, now } = options;
  const headers = authorization(options.env);
  const call = (method: JsonRequest['method'], path: string, body?: unknown) =>
    fetchJson({ method, url: `${url.replace(/\/+$/, '')}/api/2.0/mlflow/${path}`, headers, body });
  let opened: Promise<string> | undefined;

  const experimentId = async (): Promise<string> => {
    const name = options.experiment;
    const find = () => call('GET', `experiments/get-by-name?experiment_name=${encodeURIComponent(name)}`);
    try {
      return text(await find(), 'experiment', 'experiment_id');
    } catch (error) {
      if (!(error instanceof HttpError) || error.body.error_code !== 'RESOURCE_DOES_NOT_EXIST') throw error;
    }
    try {
      return text(await call('POST', 'experiments/create', { name }), 'experiment_id');
    } catch (error) {
      if (!(error instanceof HttpError) || error.body.error_code !== 'RESOURCE_ALREADY_EXISTS') throw error;
      return text(await find(), 'experiment', 'experiment_id');
    }
  };

  const logParams = async (id: string) => {
    const params = flat(options.config).map(([key, value]) => ({ key, value: value.slice(0, MAX_VALUE) }));
    for (let from = 0; from < params.length; from += MAX_PARAMS) {
      await call('POST', 'runs/log-batch', { run_id: id, params: params.slice(from, from + MAX_PARAMS) });
    }
  };

  const open = async (): Promise<string> => {
    const experiment = await experimentId();
    const filter = `tags.\`${TAG}\` = '${runKey}'`;
    const found = await call('POST', 'runs/search', { experiment_ids: [experiment], filter, max_results: 1 });
    if (Array.isArray(found.runs) && found.runs.length > 0) {
      const id = text(found.runs[0], 'info', 'run_id');
      await call('POST', 'runs/update', { run_id: id, status: 'RUNNING' });
      await logParams(id).catch(ifChanged);
      return id;
    }
    const created = await call('POST', 'runs/create', {
      experiment_id: experiment,
      run_name: run,
      start_time: options.createdAt,
      tags: [
        { key: TAG, value: runKey },
        { key: 'mlflow.source.name', value: 'genenv' },
      ],
    });
    const id = text(created, 'run', 'info', 'run_id');
    await logParams(id);
    return id;
  };

  const runId = () => {
    opened ??= open();
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };

  return {
    id: `mlflow ${url} ${options.experiment}`,
    async send(rows, mark, timestamp) {
      const { points, next } = place(rows, mark);
      const metrics = points.map(({ key, value, step }) => ({ key, value, step, timestamp }));
      await call('POST', 'runs/log-batch', { run_id: await runId(), metrics });
      return next;
    },
    async end(status) {
      await call('POST', 'runs/update', { run_id: await runId(), status: STATUS[status], end_time: now() });
    },
  };
}

/** A parameter is written once: a run that was resumed for more epochs keeps what it was started with. */
function ifChanged(error: unknown): void {
  if (!(error instanceof HttpError && error.status === 400)) throw error;
}

/** As MLflow's own clients read them. */
function authorization(env: MlflowOptions['env']): Record<string, string> {
  const { MLFLOW_TRACKING_TOKEN: token, MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD: password } = env;
  if (token) return { authorization: `Bearer ${token}` };
  if (user) return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
  return {};
}

/** What the server must have sent: text at a path. */
function text(answer: unknown, ...path: readonly string[]): string {
  let value: unknown = answer;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new HttpError(200, `the answer has no ${path.join('.')}: is this an MLflow tracking server?`);
}

function flat(value: Json, path = ''): [key: string, value: string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, path === '' ? key : `${path}.${key}`));
}
