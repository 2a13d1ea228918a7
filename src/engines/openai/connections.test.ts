/** The way to a server: through the proxy that the environment names, never for this machine, and on connections that are kept. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openClient } from './client.ts';
import { ENV, testServer } from './fixtures.ts';
import { withDefaults } from './settings.ts';

/** A proxy that leads wherever one wants to go to one and the same server. */
async function proxyTo(port: number) {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, socket, head) => {
    asked.push(request.url ?? '');
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port: own } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    asked,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

const question = { path: '/models', read: (json: unknown) => ({ value: json, tokens: 0 }) };

describe('connections', () => {
  it('lead through the proxy of the environment', async () => {
    await using server = await testServer();
    await using proxy = await proxyTo(Number(new URL(server.url).port));
    const settings = withDefaults({ url: 'http://models.example', model: 'm' });
    await using client = openClient(settings, { env: { ...ENV, HTTP_PROXY: proxy.url } });
    expect(await client.ask(question)).toHaveProperty('data');
    expect(proxy.asked).toEqual(['models.example:80']);
    expect(server.asked[0]!.headers.host).toBe('models.example');
  });

  it('do not lead through a proxy to this machine', async () => {
    await using server = await testServer();
    await using proxy = await proxyTo(1);
    await using client = openClient(withDefaults(server.options()), { env: { ...ENV, http_proxy: proxy.url } });
    expect(await client.ask(question)).toHaveProperty('data');
    expect(proxy.asked).toEqual([]);
  });

  it('are kept for the next request, and no more of them opened than are in flight', async () => {
    const sockets = new Set<unknown>();
    await using server = await testServer();
    const { reply } = server;
    server.reply = (asked, response, socket) => {
      sockets.add(socket);
      reply(asked, response, socket);
    };
    await using client = openClient(withDefaults(server.options({ maxConcurrency: 4 })), { env: ENV });
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 20 }, () => client.ask(question)));
    expect(sockets.size).toBeLessThanOrEqual(4);
  });

  it('that the server closes while they are idle cost no attempt', async () => {
    await using server = await testServer();
    await using client = openClient(withDefaults(server.options()), { env: ENV });
    await client.ask(question);
    const { reply } = server;
    let closed = 0;
    server.reply = (asked, response, socket) => (closed++ === 0 ? socket.destroy() : reply(asked, response, socket));
    expect(await client.ask(question)).toHaveProperty('data');
    expect(client.traffic).toMatchObject({ requests: 2, retries: 0, faults: {} });
  });

  it('hold five hundred requests at once', async () => {
    await using server = await testServer();
    const { reply } = server;
    let held: (() => void)[] = [];
    server.reply = (...args) => {
      held.push(() => reply(...args));
      if (held.length < 500) return;
      for (const answer of held) answer();
      held = [];
    };
    const many = { startConcurrency: 500, maxConcurrency: 500 };
    await using client = openClient(withDefaults(server.options(many)), { env: ENV });
    const all = await Promise.all(Array.from({ length: 500 }, () => client.ask(question)));
    expect(all).toHaveLength(500);
    expect(client.traffic).toMatchObject({ requests: 500, retries: 0 });
  });
});
