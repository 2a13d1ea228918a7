/** Spans of a real run on the scripted engine, as a collector in this process receives them. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type ConfigInput, loadConfig } from '../config.ts';
import { createRunFolder, play, type TrainEvent } from '../run.ts';
import { digest, openReader } from '../store/index.ts';
import { otlpTarget } from './spans.ts';

interface Received {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

async function collector() {
  const spans: Received[] = [];
  const headers: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    headers.push(`${request.method} ${request.url} ${request.headers['x-key'] ?? ''}`);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    spans.push(...resourceSpans[0].scopeSpans[0].spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { spans, headers, url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

async function playRun(sinks: unknown[], folder = join(mkdtempSync(join(tmpdir(), 'genenv-spans-')), 'run')) {
  const overrides = {
    engine: 'scripted',
    epochs: 2,
    generation: { seedsPerEpoch: 4 },
    curriculum: { rollouts: 2 },
    metrics: { sinks },
  } as ConfigInput;
  const { config } = loadConfig({ overrides });
  createRunFolder(folder, config);
  const never = new AbortController().signal;
  const events: TrainEvent[] = [];
  for await (const event of play(folder, config, { stop: never, signal: never })) events.push(event);
  return { folder, events };
}

it('are a tree of the run, its epochs, their phases and the calls of the engine', async () => {
  using collected = await collector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collected.url).stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%20b');
  await playRun(['otel']);
  vi.unstubAllEnvs();
  const { spans, headers } = collected;
  expect(headers[0]).toBe('POST /v1/traces a b');
  const parentOf = (span: Received) => spans.find(({ spanId }) => spanId === span.parentSpanId)?.name;
  const pairs = new Set(spans.map((span) => `${parentOf(span)} > ${span.name}`));
  for (const pair of [
    'undefined > genenv.run',
    'genenv.run > genenv.epoch',
    'genenv.epoch > genenv.rollout',
    'genenv.generate > engine.sample',
    'genenv.rollout > engine.sample',
    'genenv.updateAgent > engine.forwardBackward',
    'genenv.updateEnv > engine.optimStep',
  ]) {
    expect(pairs).toContain(pair);
  }
  expect(spans.filter(({ name }) => name === 'genenv.epoch')).toHaveLength(3);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const { startTimeUnixNano, endTimeUnixNano, traceId, spanId } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    expect([traceId, spanId]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ]);
  }
  const sample = spans.find(({ name }) => name === 'engine.sample')!;
  expect(sample.attributes.map(({ key }) => key)).toContain('gen_ai.usage.output_tokens');
});

it('are of phases only where calls of the engine are not wanted', async () => {
  using collected = await collector();
  await playRun([{ kind: 'otel', endpoint: collected.url, engineCalls: false }]);
  expect(collected.spans.every(({ name }) => name.startsWith('genenv.'))).toBe(true);
  expect(collected.spans.length).toBeGreaterThan(10);
});

it('and points change nothing in a run, and sinks that are down are told of once each', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const [plain, sent] = [
    await playRun([]),
    await playRun([
      'tensorboard',
      { kind: 'mlflow', url: nowhere, experiment: 'x' },
      { kind: 'otel', endpoint: nowhere, engineCalls: true },
    ]),
  ];
  expect(digest(sent.folder)).toBe(digest(plain.folder));
  using reader = openReader(sent.folder);
  const notes = reader.notes().filter(({ kind }) => kind === 'sink');
  expect(notes.map(({ detail }) => detail.split(' ')[0]).sort()).toEqual(['mlflow', 'otel:']);
  expect(sent.events.filter((event) => event.type === 'note' && event.kind === 'sink')).toHaveLength(2);
});

it('go where the configuration says, then where the environment does, then to this machine', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:1/', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b:2/custom' };
  expect(otlpTarget('http://c:3', env).url).toBe('http://c:3/v1/traces');
  expect(otlpTarget(undefined, env).url).toBe('http://b:2/custom');
  expect(otlpTarget(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:1/' }).url).toBe('http://a:1/v1/traces');
  expect(otlpTarget(undefined, {}).url).toBe('http://localhost:4318/v1/traces');
  expect(otlpTarget(undefined, { OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=x%3Dy,,=c' }).headers).toEqual({
    a: '1',
    b: 'x=y',
  });
});
