/** A server on loopback that answers as a test says, and a clock on which an hour passes in a blink. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { SampleRequest } from '../../core/engine.ts';
import type { Clock } from './clock.ts';
import type { OpenAiOptions } from './settings.ts';

export const KEY = 'sk-test-4f9a8c7b6d5e4f3a2b1c0d9e';
export const ENV: { TEST_KEY: string } = { TEST_KEY: KEY };

export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  /** Of a POST; an empty object otherwise. */
  body: Record<string, unknown>;
}

export type Reply = (asked: Asked, response: ServerResponse, socket: Socket) => void;

export interface TestServer extends AsyncDisposable {
  url: string;
  asked: Asked[];
  /** How the next requests are answered. */
  reply: Reply;
  options(more?: Partial<OpenAiOptions>): OpenAiOptions;
}

export async function testServer(reply: Reply = friendly()): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const asked = { path: request.url ?? '', headers: request.headers, body: text === '' ? {} : JSON.parse(text) };
      it.asked.push(asked);
      it.reply(asked, response, request.socket);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const it: TestServer = {
    url,
    asked: [],
    reply,
    options: (more = {}) => ({ url, model: 'm', keyEnv: 'TEST_KEY', ...more }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return it;
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

export const usage = (completion: number): object => ({
  prompt_tokens: 10,
  completion_tokens: completion,
  total_tokens: 0,
});

export const choice = (content: string, more: object = {}): object => ({
  index: 0,
  message: { role: 'assistant', content },
  finish_reason: 'stop',
  ...more,
});

export const chat = (choices: object[], more: object = {}): object => ({
  choices,
  usage: usage(3 * choices.length),
  ...more,
});

/** A server with nothing but the plain protocol: it takes n and ignores what it does not know. */
export const friendly =
  (texts: string[] = ['one two three']): Reply =>
  ({ path, body }, response) => {
    if (path.endsWith('/models')) return send(response, 200, { data: [{ id: 'm' }] });
    const n = Number(body.n ?? 1);
    const pick = (i: number) => texts[i % texts.length]!;
    if (path.endsWith('/chat/completions')) {
      return send(response, 200, chat(Array.from({ length: n }, (_, i) => choice(pick(i), { index: i }))));
    }
    const choices = Array.from({ length: n }, (_, i) => ({ index: i, text: pick(i), finish_reason: 'stop' }));
    return send(response, 200, { choices, usage: usage(3 * n) });
  };

export const request = (more: Partial<SampleRequest> = {}): SampleRequest => ({
  messages: [{ role: 'user', content: 'Count to three.' }],
  tools: [],
  n: 1,
  maxTokens: 16,
  temperature: 1,
  seed: 7,
  ...more,
});

/** Waits are noted and over at once, though time has passed by them. */
export function fastClock(): Clock & { slept: number[] } {
  let ahead = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => performance.now() + ahead,
    random: () => 0.5,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      ahead += ms;
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    },
  };
}
