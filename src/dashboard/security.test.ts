import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playRun, tempFolder } from '../fixtures.ts';
import { routes } from './routes.ts';
import { openRunIndex, type RunIndex } from './run-index.ts';
import { hostName, isLoopback } from './security.ts';

let index: RunIndex;
const assets = new Map([
  ['/index.html', { type: 'text/html', body: new Uint8Array([60]), gzip: new Uint8Array([61]), immutable: false }],
]);
const local = () => routes({ index, assets, host: '127.0.0.1' });
const remote = (token: string) => routes({ index, assets, host: '0.0.0.0', token });
const HERE = { headers: { host: 'localhost:4180' } };

beforeAll(async () => {
  const folder = tempFolder();
  await playRun(join(folder, 'runs', 'otter'), { epochs: 1 });
  mkdirSync(join(folder, 'secret'));
  writeFileSync(join(folder, 'secret', 'run.sqlite'), 'not for you');
  index = openRunIndex(join(folder, 'runs'));
});
afterAll(() => index[Symbol.dispose]());

describe('the door', () => {
  it('opens to the names of this machine and to no other, which stops DNS rebinding', async () => {
    for (const host of ['localhost:4180', '127.0.0.1:4180', '127.0.0.1', '[::1]:4180', 'LOCALHOST']) {
      expect((await local().request('/api/runs', { headers: { host } })).status, host).toBe(200);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example:4180',
      '192.168.1.4:4180',
      'a@localhost',
      '',
      '[::1',
      '10.0.0.1',
    ]) {
      expect((await local().request('/api/runs', { headers: { host } })).status, host).toBe(403);
    }
    expect((await local().request('http://evil.example/api/runs')).status).toBe(403);
  });

  it('answers questions of its own page only, and says so to no other site', async () => {
    const ask = (headers: Record<string, string>) =>
      local().request('/api/runs', { headers: { host: 'localhost:4180', ...headers } });
    expect((await ask({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await ask({ origin: 'http://localhost:4180' })).status).toBe(200);
    expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await ask({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask({ origin: 'null' })).status).toBe(403);
    const answer = await ask({});
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('only reads: every other method is refused', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await local().request('/api/runs', { method, ...HERE })).status, method).toBe(405);
    }
  });

  it('tells browsers to run nothing but its own script, on every answer', async () => {
    for (const path of ['/', '/r/otter', '/api/runs', '/api/nothing', '/assets/none.js']) {
      const { headers } = await local().request(path, HERE);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('a token', () => {
  it('is needed for everything where others can reach the server', async () => {
    for (const path of ['/', '/api/runs', '/r/otter', '/index.html']) {
      expect((await remote('open-sesame').request(path, HERE)).status, path).toBe(401);
    }
    const wrong = await remote('open-sesame').request('/?token=close-sesame', HERE);
    expect(wrong.status).toBe(401);
  });

  it('in a link becomes a cookie that scripts can not read, and leaves the address', async () => {
    const app = remote('open-sesame');
    const answer = await app.request('/r/otter?token=open-sesame&x=1', HERE);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/r/otter?x=1');
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    const headers = { host: '192.168.1.4:4180', cookie: cookie.split(';')[0]! };
    expect((await app.request('/api/runs', { headers })).status).toBe(200);
    expect((await app.request('/api/runs', { headers: { host: 'evil.example', cookie: headers.cookie } })).status).toBe(
      403,
    );
  });

  it('sends nobody to another site', async () => {
    const answer = await remote('t').request('http://localhost//evil.example/?token=t', HERE);
    expect(answer.headers.get('location')).toMatch(/^\/(?!\/)/);
  });
});

describe('paths', () => {
  it('never leave the folder of runs, however they are written', async () => {
    const tries = [
      '../secret',
      '..%2fsecret',
      '%2e%2e%2fsecret',
      '..',
      '.',
      'otter/../../secret',
      'otter%00',
      '/etc/passwd',
      'otter/checkpoints',
    ];
    for (const id of tries) {
      for (const path of [`/api/runs/${id}/overview`, `/api/runs/${encodeURIComponent(id)}/overview`]) {
        const answer = await local().request(path, HERE);
        expect([404, 400], path).toContain(answer.status);
      }
    }
    for (const path of ['/assets/../../package.json', '/assets/%2e%2e/%2e%2e/package.json', '/../package.json']) {
      const answer = await local().request(path, HERE);
      expect(await answer.text(), path).not.toContain('"name"');
    }
  });

  it('to a folder behind a link are those of a run that somebody linked to', () => {
    symlinkSync(join(index.runsDir, 'otter'), join(index.runsDir, 'linked'));
    using again = openRunIndex(index.runsDir);
    expect(again.ids()).toEqual(['linked', 'otter']);
  });
});

describe('names of hosts', () => {
  it('are read without port and brackets, or not at all', () => {
    expect(hostName('Example.org:80')).toBe('example.org');
    expect(hostName('[::1]:80')).toBe('::1');
    for (const odd of [undefined, '', 'a b', 'a/b', 'a@b', '[::1', 'a:b', 'a:80:80']) expect(hostName(odd)).toBeNull();
  });

  it('are loopback where they can be nothing else', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1']) expect(isLoopback(host)).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'localhost.evil'])
      expect(isLoopback(host)).toBe(false);
  });
});
