/** A server on this machine that serves one file, well or badly, and a folder to put it in. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataFile } from '../benchmarks/data.ts';

export const CONTENT: Buffer = Buffer.from(
  Array.from({ length: 20_000 }, (_, i) => `line ${i} of a file that is worth resuming\n`).join(''),
);

export const fileOf = (url: string, content: Buffer = CONTENT): DataFile => ({
  path: 'deep/file.txt',
  url,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'genenv-data-'));

export interface Loopback extends AsyncDisposable {
  url: string;
  /** The Range header of every request so far. */
  ranges: (string | undefined)[];
}

/** The nth request is answered by the nth of these, later ones by the last. */
export async function serve(
  ...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]
): Promise<Loopback> {
  const ranges: (string | undefined)[] = [];
  const server = await listen((request, response) => {
    const answer = answers[Math.min(ranges.length, answers.length - 1)]!;
    ranges.push(request.headers.range);
    answer(request, response);
  });
  return {
    url: `${addressOf(server)}/file.txt`,
    ranges,
    [Symbol.asyncDispose]: () => close(server),
  };
}

export function listen(handler: RequestListener): Promise<Server> {
  return new Promise((ready) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => ready(server));
  });
}

export const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export const close = (server: Server): Promise<void> =>
  new Promise((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });

/** As a good server does it. */
export function whole(request: IncomingMessage, response: ServerResponse): void {
  const from = startOf(request);
  if (from > 0) {
    response.writeHead(206, { 'content-range': `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}` });
  }
  response.end(CONTENT.subarray(from));
}

/** Breaks off after so many bytes. */
export const cutAfter =
  (bytes: number) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const from = startOf(request);
    const headers = { 'content-length': CONTENT.length - from };
    if (from > 0)
      response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}` });
    else response.writeHead(200, headers);
    response.write(CONTENT.subarray(from, from + bytes), () => setTimeout(() => response.destroy(), 20));
  };

const startOf = ({ headers: { range = '' } }: IncomingMessage) => Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
