/** Against a server on this machine that misbehaves in every way a network does. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DataFile } from '../benchmarks/data.ts';
import { addressOf, CONTENT, close, cutAfter, fileOf, listen, newFolder, serve, whole } from './fixtures.ts';
import { pull } from './pull.ts';
import { openTransport } from './transport.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

interface Asked {
  signal?: AbortSignal;
  silenceMs?: number;
  onProgress?: (bytes: number) => void;
  prepare?: () => Promise<void>;
  made?: string[];
}

async function pulled(file: DataFile, { signal, silenceMs, onProgress = () => {}, prepare, made = [] }: Asked = {}) {
  const dispatcher = openTransport(silenceMs);
  try {
    const set = { benchmark: 'fixture', files: [file], made, ...(prepare ? { prepare } : {}) };
    const never = new AbortController().signal;
    return await pull(set, { folder, dispatcher, signal: signal ?? never, onProgress, backoffMs: 1 });
  } finally {
    await dispatcher.destroy();
  }
}

const arrived = () => readFileSync(join(folder, 'deep/file.txt'));
const part = () => join(folder, 'deep/file.txt.part');

describe('pull', () => {
  it('fetches a file under its name, leaves no part behind, and then leaves it alone', async () => {
    await using server = await serve(whole);
    const file = fileOf(server.url);
    const prepare = vi.fn(async () => {});
    expect(await pulled(file, { prepare })).toEqual({ fetched: 1, kept: 0 });
    expect(arrived().equals(CONTENT)).toBe(true);
    expect(existsSync(part())).toBe(false);
    expect(await pulled(file, { prepare })).toEqual({ fetched: 0, kept: 1 });
    expect(server.ranges).toEqual([undefined]);
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it('makes anew what is made from the files where that is gone', async () => {
    await using server = await serve(whole);
    const prepare = vi.fn(async () => writeFileSync(join(folder, 'made.txt'), 'made'));
    const made = ['made.txt'];
    await pulled(fileOf(server.url), { prepare, made });
    await pulled(fileOf(server.url), { prepare, made });
    expect(prepare).toHaveBeenCalledTimes(1);
    rmSync(join(folder, 'made.txt'));
    await pulled(fileOf(server.url), { prepare, made });
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it('goes on where the connection was cut', async () => {
    await using server = await serve(cutAfter(300_000), cutAfter(100_000), whole);
    const seen: number[] = [];
    await pulled(fileOf(server.url), { onProgress: (bytes) => seen.push(bytes) });
    expect(arrived().equals(CONTENT)).toBe(true);
    expect(server.ranges[0]).toBeUndefined();
    expect(server.ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
    expect(seen.at(-1)).toBe(CONTENT.length);
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
  });

  it('starts over where a server ignores the range', async () => {
    await using server = await serve(cutAfter(300_000), (_, response) => response.end(CONTENT));
    await pulled(fileOf(server.url));
    expect(server.ranges).toHaveLength(2);
    expect(arrived().equals(CONTENT)).toBe(true);
  });

  it('starts over where what was kept is no beginning of the file', async () => {
    await using server = await serve(whole);
    mkdirSync(join(folder, 'deep'));
    writeFileSync(part(), 'another file altogether');
    await pulled(fileOf(server.url));
    expect(server.ranges).toEqual(['bytes=23-', undefined]);
    expect(arrived().equals(CONTENT)).toBe(true);
  });

  it('replaces a file that is there but wrong', async () => {
    await using server = await serve(whole);
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep/file.txt'), CONTENT.toString().replace('line 7 ', 'line 8 '));
    expect(await pulled(fileOf(server.url))).toEqual({ fetched: 1, kept: 0 });
    expect(arrived().equals(CONTENT)).toBe(true);
  });

  it('takes a copy whose lines end as on Windows for the file it is', async () => {
    await using server = await serve(whole);
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep/file.txt'), CONTENT.toString().replaceAll('\n', '\r\n'));
    expect(await pulled(fileOf(server.url))).toEqual({ fetched: 0, kept: 1 });
  });

  it('refuses a wrong checksum, keeps nothing and does not ask again', async () => {
    await using server = await serve((_, response) => response.end(CONTENT.toString().replace('line 7 ', 'line 8 ')));
    await expect(pulled(fileOf(server.url))).rejects.toThrow(/has the checksum .*nothing was kept/);
    expect(server.ranges).toHaveLength(1);
    expect(existsSync(part())).toBe(false);
  });

  it('stops reading a file that is longer than it should be', async () => {
    await using server = await serve((_, response) => {
      const flood = setInterval(() => response.write(CONTENT), 1);
      response.on('close', () => clearInterval(flood));
    });
    await expect(pulled(fileOf(server.url))).rejects.toThrow(/is longer than the \d+ bytes/);
    expect(existsSync(part())).toBe(false);
  });

  it('says so at once where there is no such file', async () => {
    await using server = await serve((_, response) => response.writeHead(404).end('no'));
    await expect(pulled(fileOf(server.url))).rejects.toThrow(/file\.txt was refused with status 404: the file is not/);
    expect(server.ranges).toHaveLength(1);
  });

  it('waits and asks again where the server is busy', async () => {
    await using server = await serve(
      (_, response) => response.writeHead(503).end(),
      (_, response) => response.writeHead(429, { 'retry-after': '0' }).end(),
      whole,
    );
    await pulled(fileOf(server.url));
    expect(server.ranges).toHaveLength(3);
  });

  it('gives up in the end, says why, and keeps what has arrived', async () => {
    await using server = await serve(cutAfter(100_000), (_, response) => response.writeHead(500).end());
    await expect(pulled(fileOf(server.url))).rejects.toThrow(/answered with status 500\. What has arrived is kept in/);
    expect(readFileSync(part()).equals(CONTENT.subarray(0, 100_000))).toBe(true);
  });

  // A second or two: the clock of the HTTP client is coarse.
  it('takes a connection that went silent for dead, and goes on with another', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 5000));
    }, whole);
    await pulled(fileOf(server.url), { silenceMs: 300 });
    expect(server.ranges).toEqual([undefined, 'bytes=5000-']);
    expect(arrived().equals(CONTENT)).toBe(true);
  });

  it('keeps the part when it is interrupted', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 5000));
    }, whole);
    const stop = new AbortController();
    const onProgress = (bytes: number) => bytes >= 5000 && stop.abort(new Error('Ctrl-C'));
    await expect(pulled(fileOf(server.url), { signal: stop.signal, onProgress })).rejects.toThrow('Ctrl-C');
    expect(readFileSync(part()).equals(CONTENT.subarray(0, 5000))).toBe(true);
    await pulled(fileOf(server.url));
    expect(server.ranges).toEqual([undefined, 'bytes=5000-']);
  });

  it('follows a redirection', async () => {
    await using server = await serve(whole);
    await using first = await serve((_, response) => response.writeHead(302, { location: server.url }).end());
    await pulled(fileOf(first.url));
    expect(arrived().equals(CONTENT)).toBe(true);
  });
});

describe('proxies', () => {
  it('are used where the environment names one, and not for the hosts it excepts', async () => {
    await using server = await serve(whole);
    const tunnelled: string[] = [];
    const proxy = await listen((_, response) => response.writeHead(500).end());
    proxy.on('connect', (request, client, head) => {
      tunnelled.push(request.url ?? '');
      const [host, port] = (request.url ?? '').split(':');
      const upstream = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      });
      for (const socket of [client, upstream]) socket.on('error', () => {});
    });
    try {
      vi.stubEnv('http_proxy', addressOf(proxy));
      vi.stubEnv('HTTP_PROXY', addressOf(proxy));
      vi.stubEnv('no_proxy', '');
      vi.stubEnv('NO_PROXY', '');
      await pulled(fileOf(server.url));
      expect(tunnelled).toEqual([new URL(server.url).host]);
      expect(arrived().equals(CONTENT)).toBe(true);

      rmSync(join(folder, 'deep'), { recursive: true });
      vi.stubEnv('no_proxy', '127.0.0.1');
      vi.stubEnv('NO_PROXY', '127.0.0.1');
      await pulled(fileOf(server.url));
      expect(tunnelled).toHaveLength(1);
    } finally {
      await close(proxy);
    }
  });
});
