/** The MLflow exporter against a small tracking server in this process that keeps points the way MLflow does. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { exporter } from './exporter.ts';
import { openMarks } from './marks.ts';
import { mlflowSink } from './mlflow.ts';
import type { MetricRow } from './scalars.ts';

type Answer = [status: number, body: object];

function trackingServer() {
  const experiments = new Map<string, string>();
  const runs = new Map<string, { status: string; tags: { key: string; value: string }[] }>();
  /** By key, step, time and value: MLflow keeps a point that is sent twice once. */
  const points = new Set<string>();
  const params = new Map<string, string>();
  const seen: string[] = [];
  const state = { fail: (_path: string): Answer | 'afterwards' | undefined => undefined, authorization: '' };

  const handle = (path: string, query: URLSearchParams, body: Record<string, never>): Answer => {
    switch (path) {
      case 'experiments/get-by-name': {
        const id = experiments.get(query.get('experiment_name')!);
        return id ? [200, { experiment: { experiment_id: id } }] : [404, { error_code: 'RESOURCE_DOES_NOT_EXIST' }];
      }
      case 'experiments/create':
        experiments.set(body.name!, `e${experiments.size}`);
        return [200, { experiment_id: experiments.get(body.name!) }];
      case 'runs/search': {
        const key = /'(\w+)'/.exec(body.filter!)![1]!;
        const found = [...runs].filter(([, { tags }]) => tags.some(({ value }) => value === key));
        return [200, { runs: found.map(([id]) => ({ info: { run_id: id } })) }];
      }
      case 'runs/create':
        runs.set(`r${runs.size}`, { status: 'RUNNING', tags: body.tags! });
        return [200, { run: { info: { run_id: `r${runs.size - 1}` } } }];
      case 'runs/update':
        runs.get(body.run_id!)!.status = body.status!;
        return [200, {}];
      case 'runs/log-batch': {
        for (const { key, value, step, timestamp } of (body.metrics ?? []) as MetricRow[] & { timestamp: number }[]) {
          points.add(`${key} ${step} ${value} @${timestamp}`);
        }
        for (const { key, value } of (body.params ?? []) as { key: string; value: string }[]) {
          if (params.has(key) && params.get(key) !== value) return [400, { error_code: 'INVALID_PARAMETER_VALUE' }];
          params.set(key, value);
        }
        return [200, {}];
      }
      default:
        return [404, {}];
    }
  };

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    const path = pathname.replace('/api/2.0/mlflow/', '');
    seen.push(path);
    state.authorization = request.headers.authorization ?? '';
    const failure = state.fail(path);
    const text = Buffer.concat(chunks).toString();
    const [status, body] = Array.isArray(failure) ? failure : handle(path, searchParams, text ? JSON.parse(text) : {});
    // It was done, but nobody hears of it.
    if (failure === 'afterwards') response.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const values = () => [...points].map((point) => point.replace(/ @.*/, ''));
  return { server, url, state, seen, runs, params, points, values };
}

let close = () => {};
afterEach(() => close());

async function open() {
  const tracking = trackingServer();
  tracking.server.listen(0, '127.0.0.1');
  await once(tracking.server, 'listening');
  close = () => {
    tracking.server.closeAllConnections();
    tracking.server.close();
  };
  const url = tracking.url();
  const folder = mkdtempSync(join(tmpdir(), 'genenv-mlflow-'));
  const problems: string[] = [];
  let clock = 1_700_000_000_000;
  /** A process that plays the run. */
  const start = (all: readonly MetricRow[], env: Record<string, string> = {}) =>
    exporter({
      sink: mlflowSink({
        url: `${url}/`,
        experiment: 'genenv',
        run: 'brisk-otter',
        runKey: 'abc123',
        createdAt: 1,
        config: { epochs: 3, curriculum: { alpha: 0.5 }, metrics: { sinks: [] } },
        now: () => clock++,
        env,
      }),
      marks: openMarks(folder),
      rows: (after, limit) => all.filter((r) => r.row > after).slice(0, limit),
      tell: (problem) => problems.push(problem),
      now: () => {
        clock += 100_000;
        return clock;
      },
    });
  return { ...tracking, start, problems };
}

const many = Array.from({ length: 1203 }, (_, i) => ({
  row: i + 1,
  key: 'agent/loss',
  epoch: 1,
  step: i + 1,
  value: i,
}));
const few = many.slice(0, 3);
const expected = (rows: readonly MetricRow[]) => rows.map(({ key, value }, i) => `${key} ${i + 1} ${value}`);

describe('the MLflow exporter', () => {
  it('makes an experiment and a run with its settings, logs every point, and says how it ended', async () => {
    const { start, values, runs, params, problems } = await open();
    const one = start(many);
    one.poke();
    await one.end('finished');
    expect(problems).toEqual([]);
    expect(values()).toEqual(expected(many));
    expect([...runs.values()]).toEqual([
      { status: 'FINISHED', tags: expect.arrayContaining([{ key: 'genenv.run', value: 'abc123' }]) },
    ]);
    expect(Object.fromEntries(params)).toEqual({ epochs: '3', 'curriculum.alpha': '0.5', 'metrics.sinks': '[]' });
  });

  it('goes on in the same run after a resume, with no point twice', async () => {
    const { start, values, runs } = await open();
    await start(few).end('stopped');
    expect([...runs.values()][0]!.status).toBe('KILLED');
    await start(many.slice(0, 5)).end('finished');
    await start(many.slice(0, 5)).end('finished');
    expect(values()).toEqual(expected(many.slice(0, 5)));
    expect(runs.size).toBe(1);
  });

  it('sends the same again, to the time stamp, when it can not know whether it arrived', async () => {
    const { start, state, points, problems } = await open();
    state.fail = (path) => (path === 'runs/log-batch' ? 'afterwards' : undefined);
    // The parameters and the points arrive, and no answer does.
    await start(few).end('failed');
    await start(few).end('failed');
    state.fail = () => undefined;
    await start(many.slice(0, 5)).end('finished');
    expect(points.size).toBe(5);
    expect(problems).toHaveLength(2);
  });

  it('tells of a server that is down once, and catches up when it is back', async () => {
    const { start, state, values, problems } = await open();
    state.fail = () => [503, { message: 'in repair' }];
    const one = start(few);
    for (let i = 0; i < 3; i++) {
      one.poke();
      await new Promise((done) => setTimeout(done, 30));
    }
    expect(problems).toEqual([expect.stringMatching(/answered 503 in repair\. The run goes on/)]);
    state.fail = () => undefined;
    await one.end('finished');
    expect(values()).toEqual(expected(few));
  });

  it('says so where nobody listens or somebody else does', async () => {
    const { start, state, problems } = await open();
    state.fail = () => [200, {}];
    await start(few).end('finished');
    close();
    await start(few).end('finished');
    expect(problems[0]).toContain('is this an MLflow tracking server?');
    expect(problems[1]).toContain('did not answer');
  });

  it('signs in as MLflow clients do', async () => {
    const { start, state } = await open();
    await start(few, { MLFLOW_TRACKING_TOKEN: 'secret' }).end('finished');
    expect(state.authorization).toBe('Bearer secret');
    await start(few, { MLFLOW_TRACKING_USERNAME: 'ada', MLFLOW_TRACKING_PASSWORD: 'pw' }).end('finished');
    expect(state.authorization).toBe(`Basic ${Buffer.from('ada:pw').toString('base64')}`);
  });
});
