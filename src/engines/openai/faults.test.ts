/** A server that misbehaves in every way we know: the request is retried where that is safe, or fails with a clear reason. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { EngineStopped } from '../../core/engine.ts';
import { openClient } from './client.ts';
import { ServerFault } from './fault.ts';
import { type Asked, ENV, fastClock, friendly, type Reply, send, type TestServer, testServer } from './fixtures.ts';
import { type OpenAiOptions, withDefaults } from './settings.ts';

const HTML = '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>';

function clientOf(server: TestServer, more: Partial<OpenAiOptions> = {}) {
  const clock = fastClock();
  const client = openClient(withDefaults(server.options(more)), { clock, env: ENV });
  const ask = (signal?: AbortSignal, model = 'm') =>
    client.ask({
      path: '/chat/completions',
      body: JSON.stringify({ model }),
      signal,
      read(json) {
        if (!(json as { choices?: unknown }).choices) throw new ServerFault('badAnswer', 'no choices');
        return { value: json, tokens: 3 };
      },
    });
  return { client, clock, ask };
}

/** Misbehaves so many times, then is friendly. */
function first(times: number, bad: Reply): Reply {
  let left = times;
  return (...args) => (left-- > 0 ? bad(...args) : friendly()(...args));
}

/** A response that says more than it sends. */
function truncated(_: Asked, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":[{"mess');
  setTimeout(() => response.socket?.destroy(), 5);
}

const passing: [what: string, reply: Reply, kind: string][] = [
  ['answers 500', (_, response) => send(response, 500, { error: { message: 'CUDA error' } }), 'serverError'],
  [
    'answers 502 with a page',
    (_, response) => send(response, 502, HTML, { 'content-type': 'text/html' }),
    'unavailable',
  ],
  ['answers 504', (_, response) => send(response, 504, ''), 'unavailable'],
  ['answers 503 while it loads', (_, response) => send(response, 503, { error: { message: 'Loading model' } }), 'busy'],
  ['answers 429', (_, response) => send(response, 429, { error: 'slow down' }), 'busy'],
  ['closes the socket', (_asked, _response, socket) => socket.destroy(), 'unreachable'],
  ['resets the connection', (_asked, _response, socket) => socket.resetAndDestroy(), 'unreachable'],
  ['truncates its body', truncated, 'unreachable'],
  [
    'answers 200 with a page',
    (_, response) => send(response, 200, HTML, { 'content-type': 'text/html' }),
    'unreadable',
  ],
  ['answers 200 with nothing', (_, response) => send(response, 200, ''), 'unreadable'],
  ['answers half of a JSON', (_, response) => send(response, 200, '{"choices":[{"me'), 'badAnswer'],
  ['writes NaN into its JSON', (_, response) => send(response, 200, '{"choices":[{"logprob": NaN}]}'), 'badAnswer'],
  ['compresses unasked', (_, response) => send(response, 200, 'x', { 'content-encoding': 'gzip' }), 'unreadable'],
  [
    'speaks something else than HTTP',
    (_asked, _response, socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'),
    'unreachable',
  ],
  ['answers 200 without choices', (_, response) => send(response, 200, { error: 'overloaded' }), 'badAnswer'],
];

describe('a server that for once', () => {
  it.each(passing)('%s is asked again', async (_, reply, kind) => {
    await using server = await testServer(first(2, reply));
    const { client, ask } = clientOf(server);
    await using _client = client;
    expect(await ask()).toHaveProperty('choices');
    expect(client.traffic).toMatchObject({ questions: 1, requests: 3, retries: 2, faults: { [kind]: 2 } });
  });

  it('does not answer at all is asked again after the timeout', async () => {
    await using server = await testServer(first(1, () => {}));
    const { client, ask } = clientOf(server, { timeoutSeconds: 0.2 });
    await using _ = client;
    expect(await ask()).toHaveProperty('choices');
    // A busy machine may be late with the answer that follows, too.
    expect(client.traffic.faults).toEqual({ timeout: expect.any(Number) });
  });

  it('drips its body for ever is asked again after the timeout', async () => {
    const drip: Reply = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    };
    await using server = await testServer(first(1, drip));
    const { client, ask } = clientOf(server, { timeoutSeconds: 0.2 });
    await using _ = client;
    expect(await ask()).toHaveProperty('choices');
    // A busy machine may be late with the answer that follows, too.
    expect(client.traffic.faults).toEqual({ timeout: expect.any(Number) });
  });
});

describe('a server that for ever', () => {
  it.each([
    [500, { error: { message: 'CUDA error' } }, /answered 500: CUDA error \(3 attempts\)/],
    [200, '{"choices": NaN', /not JSON \(it holds NaN or Infinity; logprobs: off may help\)/],
  ])('answers %i %o fails the request with its reason', async (status, body, message) => {
    await using server = await testServer((_, response) => send(response, status, body));
    const { client, ask } = clientOf(server, { maxRetries: 2 });
    await using _ = client;
    await expect(ask()).rejects.toThrow(message);
    await expect(ask()).rejects.toBeInstanceOf(ServerFault);
  });

  it.each([400, 413, 422, 301, 418])('answers %i is not asked twice', async (status) => {
    await using server = await testServer((_, response) =>
      send(response, status, { detail: 'prompt too long' }, { location: 'https://elsewhere' }),
    );
    const { client, ask } = clientOf(server);
    await using _ = client;
    await expect(ask()).rejects.toThrow(
      new RegExp(`answered ${status} and points to https://elsewhere: prompt too long`),
    );
    expect(server.asked).toHaveLength(1);
  });

  it('sends too much is cut off, whether it says so before or not', async () => {
    await using server = await testServer((_, response) => {
      response.writeHead(200);
      const write = () => {
        while (response.write('x'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const { client, ask } = clientOf(server, { maxAnswerBytes: 100_000 });
    await using _ = client;
    await expect(ask()).rejects.toThrow('the answer is larger than 100000 bytes');
    server.reply = (_asked, response) => send(response, 200, 'x'.repeat(200_000), { 'content-length': '200000' });
    await expect(ask()).rejects.toThrow('the answer is larger than 100000 bytes');
  });

  it.each([
    [
      401,
      { error: { message: 'Invalid token' } },
      /Invalid token\. The key in TEST_KEY is not accepted: set the environment variable TEST_KEY/,
    ],
    [403, { error: 'no access' }, /no access\. The key in TEST_KEY is not accepted/],
    [402, { error: 'pay' }, /Add credit/],
    [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, /Add credit/],
    [404, { error: { message: 'The model `m` does not exist' } }, /Check url and model: is m served there\?/],
  ])('answers %i stops the engine at once, with what to do', async (status, body, message) => {
    await using server = await testServer((_, response) => send(response, status, body));
    const { client, ask } = clientOf(server);
    await using _ = client;
    await expect(ask()).rejects.toThrow(message);
    await expect(ask()).rejects.toBeInstanceOf(EngineStopped);
    expect(server.asked).toHaveLength(2);
  });

  it('wants a key that is not set names the variable to set', async () => {
    await using server = await testServer((_, response) => send(response, 401, { error: 'key?' }));
    const { client, ask } = clientOf(server, { keyEnv: 'NOT_SET' });
    await using _ = client;
    await expect(ask()).rejects.toThrow('No key was sent: set the environment variable NOT_SET, or name another one');
    expect(server.asked[0]!.headers.authorization).toBeUndefined();
  });

  it('refuses a text for what it says refuses that text only', async () => {
    await using server = await testServer((_, response) =>
      send(response, 403, { error: { message: 'Input flagged' } }),
    );
    const { client, ask } = clientOf(server);
    await using _ = client;
    await expect(ask()).rejects.toBeInstanceOf(ServerFault);
  });

  it('is busy stops the engine when its patience is over', async () => {
    await using server = await testServer((_, response) => send(response, 429, { error: 'slow down' }));
    const { client, clock, ask } = clientOf(server, { maxOutageSeconds: 600, maxRetries: 1 });
    await using _ = client;
    await expect(ask()).rejects.toThrow(
      /has been busy for 600 s without one good answer: .*slow down\. Lower maxConcurrency/,
    );
    expect(clock.now()).toBeGreaterThan(600_000);
    expect(server.asked.length).toBeGreaterThan(10);
  });

  it('is busy with one request only fails that request', async () => {
    await using server = await testServer((asked, response, socket) =>
      asked.body.model === 'heavy'
        ? send(response, 429, { error: 'too large for your tier' })
        : friendly()(asked, response, socket),
    );
    const { client, ask } = clientOf(server, { maxOutageSeconds: 60 });
    await using _ = client;
    let fault: unknown;
    const heavy = ask(undefined, 'heavy').catch((error) => {
      fault = error;
    });
    while (fault === undefined) await ask();
    await heavy;
    expect(fault).toMatchObject({ name: 'ServerFault', kind: 'busy' });
  });

  it('shows a page stops the engine when its patience is over: somebody else answers there', async () => {
    await using server = await testServer((_, response) => send(response, 200, HTML));
    const { client, ask } = clientOf(server);
    await using _ = client;
    await expect(ask()).rejects.toThrow(
      /has not answered for \d+ s: the answer is an HTML page, so something else than/,
    );
  });

  it('is gone stops the engine when its patience is over, after few knocks', async () => {
    const server = await testServer();
    await server[Symbol.asyncDispose]();
    const { client, ask } = clientOf(server, { maxOutageSeconds: 300 });
    await using _ = client;
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => ask()));
    for (const end of ends) {
      expect(end).toMatchObject({
        reason: { name: 'EngineStopped', message: /has not answered for \d+ s: .*ECONNREFUSED/ },
      });
    }
    expect(client.traffic.requests).toBeLessThan(60);
  });
});

describe('a server that comes back', () => {
  it('finds every request still there: nothing is lost to a restart', async () => {
    let down = true;
    await using server = await testServer((asked, response, socket) =>
      down ? socket.destroy() : friendly()(asked, response, socket),
    );
    const { client, clock, ask } = clientOf(server, { maxRetries: 2, maxOutageSeconds: 300 });
    await using _ = client;
    const all = Promise.all(Array.from({ length: 50 }, () => ask()));
    while (clock.now() < 60_000) await new Promise((resolve) => setTimeout(resolve, 1));
    down = false;
    expect(await all).toHaveLength(50);
  });
});

describe('waiting', () => {
  it('follows Retry-After for everybody', async () => {
    const limited: Reply = (_, response) => send(response, 429, {}, { 'retry-after': '17' });
    await using server = await testServer(first(1, limited));
    const { client, clock, ask } = clientOf(server, { startConcurrency: 1, maxConcurrency: 1 });
    await using _ = client;
    await Promise.all([ask(), ask()]);
    expect(clock.now()).toBeGreaterThanOrEqual(17_000);
    expect(client.traffic.requests).toBe(3);
  });

  it('ends with the signal, however long it would take', async () => {
    await using server = await testServer((_, response) => send(response, 429, {}));
    // The real clock: half a second of waiting is cut short.
    await using client = openClient(withDefaults(server.options()), { env: ENV });
    const cancel = new AbortController();
    const asked = client.ask({ path: '/x', body: '{}', read: () => ({ value: 1, tokens: 1 }), signal: cancel.signal });
    setTimeout(() => cancel.abort(new Error('enough')), 30);
    await expect(asked).rejects.toThrow('enough');
  });

  it('halves the requests in flight when the server says that it is too much', async () => {
    await using server = await testServer(first(1, (_, response) => send(response, 429, {})));
    const { client, ask } = clientOf(server, { startConcurrency: 32 });
    await using _ = client;
    await ask();
    expect(client.concurrency.limit).toBe(16);
  });

  it('keeps to the requests per second', async () => {
    await using server = await testServer();
    const { client, clock, ask } = clientOf(server, { requestsPerSecond: 2 });
    await using _ = client;
    const before = clock.now();
    for (let i = 0; i < 5; i++) await ask();
    expect(clock.now() - before).toBeGreaterThanOrEqual(1990);
  });
});
