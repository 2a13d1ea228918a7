import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpSearchOptions, httpSearch, SearchError } from './http-search.ts';
import { openSearch } from './open-search.ts';

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;

let handle: Handler;
let requests = 0;
let url = '';
const server = createServer(async (request, response) => {
  requests++;
  let body = '';
  for await (const chunk of request) body += chunk;
  handle(Object.assign(request, { body }), response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`;
});
beforeEach(() => {
  requests = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (value: unknown): Handler =>
  (_, response) =>
    response.end(JSON.stringify(value));
const status =
  (...codes: number[]): Handler =>
  (_, response) => {
    response.statusCode = codes[Math.min(requests, codes.length) - 1]!;
    response.end('[{"title": "T", "snippet": "S"}]');
  };
const search = (options: Partial<HttpSearchOptions> = {}) =>
  httpSearch({ url, timeoutMs: 2000, ...options })('two words', 5);

describe('a search over HTTP', () => {
  it('asks by GET with the query in the address', async () => {
    let asked = '';
    handle = (request, response) => {
      asked = `${request.method} ${request.url} ${request.headers['x-key']}`;
      json([{ title: 'T', snippet: 'S', more: 1 }])(request, response);
    };
    expect(await search({ countField: 'n', headers: { 'x-key': 'k' } })).toEqual([{ title: 'T', snippet: 'S' }]);
    expect(asked).toBe('GET /search?q=two+words&n=5 k');
  });

  it('asks by POST with the query in JSON', async () => {
    let asked: unknown;
    handle = (request, response) => {
      asked = { ...JSON.parse(request.body), type: request.headers['content-type'], method: request.method };
      json({ organic: [{ title: 'T', snippet: 'S' }] })(request, response);
    };
    const settings = {
      kind: 'http',
      url,
      method: 'POST',
      queryField: 'query',
      countField: 'num',
      resultsField: 'organic',
    } as const;
    expect(await openSearch(settings)('lone \ud800', 3)).toEqual([{ title: 'T', snippet: 'S' }]);
    expect(asked).toEqual({ query: 'lone \ud800', num: 3, type: 'application/json', method: 'POST' });
  });

  it('puts an answer box first, leaves out what is no result, and keeps no more than asked for', async () => {
    const items = [
      { title: 'no snippet' },
      null,
      'x',
      { title: 1, snippet: 'x' },
      ...Array(9).fill({ name: 'T', body: 'S' }),
    ];
    const fields = { resultsField: 'organic', titleField: 'name', snippetField: 'body' };
    handle = json({ organic: items, answerBox: { title: 'A', answer: '42', snippet: 'no' } });
    const results = await search(fields);
    expect(results).toHaveLength(5);
    expect(results.slice(0, 2)).toEqual([
      { title: 'A', snippet: '42', isAnswer: true },
      { title: 'T', snippet: 'S' },
    ]);
    handle = json({ organic: [], answerBox: { title: 'A', snippet: 'S' } });
    expect(await search(fields)).toEqual([{ title: 'A', snippet: 'S' }]);
    handle = json({ organic: [], answerBox: { answer: '42' } });
    expect(await search(fields)).toEqual([]);
  });

  it('tries again where waiting may help', async () => {
    handle = status(503, 429, 200);
    expect(await search()).toHaveLength(1);
    expect(requests).toBe(3);
  });

  it('gives up after a few attempts, and says why', async () => {
    handle = status(500);
    await expect(search({ retries: 1 })).rejects.toThrow(
      /The search at http:\/\/127\.0\.0\.1:\d+ failed: it answered 500\./,
    );
    expect(requests).toBe(2);
    handle = (request) => request.socket.destroy();
    await expect(search({ retries: 1 })).rejects.toThrow(SearchError);
    expect(requests).toBe(4);
  });

  it('does not try again where it would not help', async () => {
    for (const handler of [
      status(403),
      status(404),
      json({ results: [] }),
      ((_, r) => r.end('<html>')) satisfies Handler,
    ]) {
      requests = 0;
      handle = handler;
      await expect(search()).rejects.toThrow(SearchError);
      expect(requests).toBe(1);
    }
  });

  it('has no results for a query that the server refuses', async () => {
    handle = status(400);
    expect(await search()).toEqual([]);
    expect(requests).toBe(1);
  });

  it('does not wait for ever', async () => {
    handle = () => {};
    await expect(search({ timeoutMs: 50, retries: 0 })).rejects.toThrow('no answer in 50 ms');
    handle = (_, response) => response.write('[');
    await expect(search({ timeoutMs: 50, retries: 0 })).rejects.toThrow('no answer in 50 ms');
  });

  it('does not read for ever', async () => {
    handle = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1 << 16)));
      };
      response.on('drain', more);
      more();
    };
    await expect(search({ maxBytes: 200_000 })).rejects.toThrow('more than 200000 bytes came back');
  });

  it('does not follow redirects, which could carry a key elsewhere', async () => {
    handle = (_, response) => response.writeHead(302, { location: `${url}/other` }).end();
    await expect(search({ retries: 0 })).rejects.toThrow(SearchError);
    expect(requests).toBe(1);
  });

  it('survives hostile JSON', async () => {
    handle = (_, response) => response.end('['.repeat(100_000));
    await expect(search()).rejects.toThrow('not JSON');
    handle = (_, response) => response.end('[{"__proto__": {"title": "T", "snippet": "S"}}, {"constructor": 1}]');
    expect(await search()).toEqual([]);
  });

  it('wants an address of the web', () => {
    for (const bad of ['', 'search', 'file:///etc/passwd', 'ftp://x']) {
      expect(() => httpSearch({ url: bad })).toThrow(/is no address of a search/);
    }
  });
});
