/** A hub on this machine: the list of files at a commit, the files themselves behind a redirection, well or badly. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf, close, listen } from '../data/fixtures.ts';

export const COMMIT = '0123456789abcdef0123456789abcdef01234567';
export const WEIGHTS: Buffer = Buffer.alloc(300_000, 'weights and more weights ');

export const FILES: Record<string, Buffer> = {
  'config.json': Buffer.from('{"model_type": "llama"}'),
  'tokenizer.json': Buffer.from('{"model": {"vocab": {}}}'),
  'model.safetensors': WEIGHTS,
  'consolidated.safetensors': WEIGHTS,
  'pytorch_model.bin': WEIGHTS,
  'onnx/model.onnx': WEIGHTS,
  LICENSE: Buffer.from('free'),
};

const isLarge = (content: Buffer) => content === WEIGHTS;

export const gitBlob = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

export const sibling = (path: string, content: Buffer): object => ({
  rfilename: path,
  size: content.length,
  blobId: gitBlob(content),
  ...(isLarge(content) ? { lfs: { sha256: sha256(content), size: content.length, pointerSize: 134 } } : {}),
});

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean | undefined;

export interface LoopbackHub extends AsyncDisposable {
  endpoint: string;
  /** What was asked of the hub, and of the other host that serves large files. */
  asked: { host: 'hub' | 'files'; path: string; token?: string; range?: string }[];
}

/** `before` may answer a request in its own way. */
export async function loopbackHub(
  before: Answer = () => undefined,
  siblings: object[] = listed(),
): Promise<LoopbackHub> {
  const asked: LoopbackHub['asked'] = [];
  const note = (host: 'hub' | 'files', { url, headers }: IncomingMessage) => {
    const { authorization, range } = headers;
    asked.push({
      host,
      path: url ?? '',
      ...(authorization ? { token: authorization } : {}),
      ...(range ? { range } : {}),
    });
  };
  const files = await listen((request, response) => {
    note('files', request);
    if (!before(request, response)) send(request, response, FILES[decodeURIComponent(request.url!.slice(1))]!);
  });
  const hub = await listen((request, response) => {
    note('hub', request);
    if (before(request, response)) return;
    const { pathname } = new URL(request.url!, 'http://hub');
    const [, path] = pathname.split(`/resolve/${COMMIT}/`);
    if (path === undefined) {
      const known = ['main', 'v1', COMMIT].some((name) => pathname === `/api/models/owner/small/revision/${name}`);
      const code = pathname.includes('/owner/small/') ? 'RevisionNotFound' : 'RepoNotFound';
      if (known) response.end(JSON.stringify({ id: 'owner/small', sha: COMMIT, siblings }));
      else response.writeHead(404, { 'x-error-code': code }).end('{"error": "no"}');
      return;
    }
    const content = FILES[decodeURIComponent(path)];
    if (!content) response.writeHead(404).end();
    else if (isLarge(content)) response.writeHead(302, { location: `${addressOf(files)}/${path}` }).end();
    else send(request, response, content);
  });
  return {
    endpoint: addressOf(hub),
    asked,
    async [Symbol.asyncDispose]() {
      await close(hub);
      await close(files);
    },
  };
}

export const listed = (): object[] => Object.entries(FILES).map(([path, content]) => sibling(path, content));

function send({ headers }: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  if (from > 0) response.writeHead(206, { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` });
  response.end(content.subarray(from));
}
