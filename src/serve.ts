/**
 * The local engine behind the Tinker protocol: the composition root of `genenv serve`.
 * @module
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LocalHostOptions, ModelConfig, ModelSource } from './engines/local/index.ts';
import { checkRuntime, EngineError } from './open-engine.ts';
import { type ServeOptions, startServer, type TinkerServer } from './server/index.ts';

export type { TinkerServer } from './server/index.ts';
export type { ServerLimits } from './server/limits.ts';

export interface ServeSettings extends Pick<LocalHostOptions, 'threads' | 'maxRows' | 'microBatchTokens'> {
  /** The models that clients train adapters or copies of, by name: folders, or sizes of new ones. */
  models: Readonly<Record<string, ModelSource>>;
  /** What clients must send as X-API-Key; a new one by default. */
  key?: string;
  /** Folder that checkpoints, and models made here, go into. */
  folder: string;
  port?: number;
  host?: string;
  allowedHosts?: readonly string[];
  seed?: number;
  limits?: ServeOptions['limits'];
  onError?: (error: unknown) => void;
}

export interface Serving extends TinkerServer {
  readonly key: string;
  readonly models: readonly { name: string; config: ModelConfig }[];
}

/** A key as the official client wants it. */
export const newKey = (): string => `tml-${randomBytes(24).toString('base64url')}`;

export async function serve(settings: ServeSettings): Promise<Serving> {
  const { key = newKey(), folder, port = 0, seed = 1, threads, maxRows, microBatchTokens } = settings;
  checkRuntime();
  const { localHost } = await import('./engines/local/index.ts');
  const folders: Record<string, string> = {};
  const bases: Record<string, ModelSource> = {};
  for (const [name, source] of Object.entries(settings.models)) {
    const path = resolve(source.kind === 'folder' ? source.path : join(folder, 'models', name));
    if (source.kind === 'new') await makeModel(path, source, seed);
    folders[name] = path;
    bases[name] = source.kind === 'folder' ? source : { kind: 'folder', path };
  }
  const host = await localHost({
    bases,
    seed,
    ...(threads === undefined ? {} : { threads }),
    ...(maxRows === undefined ? {} : { maxRows }),
    ...(microBatchTokens === undefined ? {} : { microBatchTokens }),
  });
  try {
    const server = await startServer({
      host: settings.host ?? '127.0.0.1',
      engine: host,
      key,
      port,
      allowedHosts: settings.allowedHosts ?? [],
      checkpoints: resolve(folder, 'checkpoints'),
      tokenizerOf: (base) => folders[base],
      limits: settings.limits ?? {},
      onError: settings.onError ?? ((error) => process.stderr.write(`${String(error)}\n`)),
    });
    return {
      url: server.url,
      key,
      models: host.bases.map(({ name, config }) => ({ name, config })),
      get counts() {
        return server.counts;
      },
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await host[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await host[Symbol.asyncDispose]();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new EngineError(`Port ${port} is taken: choose another with --port.`);
    throw error;
  }
}

/** Once a folder: a server that is started again goes on with the same model, and its tokenizer can be found there. */
async function makeModel(path: string, source: ModelSource, seed: number): Promise<void> {
  if (existsSync(path)) return;
  const { openModel, saveModelFolder } = await import('./engines/local/index.ts');
  const model = await openModel(source, seed);
  await saveModelFolder(path, { ...model, tokenizer: model.tokenizer.json });
}
