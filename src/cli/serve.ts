/** `genenv serve`: the local engine behind the Tinker protocol, until Ctrl-C. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { type ModelConfig, type ModelSource, modelLayout } from '../engines/local/index.ts';
import { type ServerLimits, type Serving, serve } from '../serve.ts';
import { isLoopback } from '../server/access.ts';
import { readCorpus } from './corpus.ts';
import { UsageError } from './errors.ts';
import { count } from './format.ts';
import { type CommonOptions, wholeNumber } from './options.ts';
import { paint, say, sayJson } from './say.ts';
import { visible } from './visible.ts';

export interface ServeCommandOptions extends CommonOptions {
  port: string;
  host: string;
  allowHost?: string[];
  keyEnv?: string;
  model?: string[];
  corpus?: string;
  tokenizer: 'words' | 'bytePairs';
  vocabulary: string;
  width: string;
  layers: string;
  heads: string;
  context?: string;
  seed: string;
  threads?: string;
  folder: string;
  maxModels: string;
  maxSamplers: string;
  maxSessions: string;
  maxBodyMb: string;
  maxTokens?: string;
  maxResults: string;
  sessionMinutes: string;
}

export async function serveCommand(options: ServeCommandOptions): Promise<void> {
  const key = keyFrom(options.keyEnv);
  const { threads } = options;
  await using serving = await serve({
    models: modelsFrom(options),
    folder: options.folder,
    ...(key === undefined ? {} : { key }),
    port: wholeNumber('--port', options.port, 0),
    host: options.host,
    allowedHosts: options.allowHost ?? [],
    seed: wholeNumber('--seed', options.seed, 0),
    ...(threads === undefined ? {} : { threads: wholeNumber('--threads', threads, 1) }),
    limits: limitsFrom(options),
    onError: (error) => {
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`${styleText('red', 'error', { stream: process.stderr })}  ${said}\n`);
    },
  });
  announce(serving, options, key === undefined);
  await interrupted();
  if (!options.json && !options.quiet) say('', '  Stopping. Checkpoints stay; sessions and models in memory do not.');
}

function interrupted(): Promise<void> {
  return new Promise((done) => {
    process.once('SIGINT', () => done()).once('SIGTERM', () => done());
  });
}

/** Keys on the command line end up in histories and process lists, so they come from the environment. */
function keyFrom(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const key = process.env[variable];
  if (!key) throw new UsageError(`--key-env: the environment has no ${visible(variable)}.`);
  if (key.length < 16)
    throw new UsageError(`--key-env: the key in ${visible(variable)} is shorter than 16 characters.`);
  return key;
}

function limitsFrom(options: ServeCommandOptions): Partial<ServerLimits> {
  return {
    models: wholeNumber('--max-models', options.maxModels, 1),
    samplers: wholeNumber('--max-samplers', options.maxSamplers, 1),
    sessions: wholeNumber('--max-sessions', options.maxSessions, 1),
    results: wholeNumber('--max-results', options.maxResults, 1),
    maxBodyBytes: wholeNumber('--max-body-mb', options.maxBodyMb, 1) * 2 ** 20,
    sessionMs: wholeNumber('--session-minutes', options.sessionMinutes, 1) * 60_000,
    ...(options.maxTokens === undefined ? {} : { maxTokens: wholeNumber('--max-tokens', options.maxTokens, 1) }),
  };
}

function modelsFrom(options: ServeCommandOptions): Record<string, ModelSource> {
  const { model: folders = [], corpus, context } = options;
  const limited = context === undefined ? {} : { context: wholeNumber('--context', context, 1) };
  const models: Record<string, ModelSource> = {};
  for (const given of folders) {
    const at = given.indexOf('=');
    const path = given.slice(at + 1);
    const name = at > 0 ? given.slice(0, at) : basename(resolve(path));
    if (!existsSync(join(path, 'config.json')))
      throw new UsageError(`${visible(path)} is no model folder: it has no config.json.`);
    if (Object.hasOwn(models, name))
      throw new UsageError(`Two models are called ${visible(name)}: name them, --model NAME=FOLDER.`);
    models[name] = { kind: 'folder', path, ...limited };
  }
  if (corpus === undefined && folders.length > 0) return models;
  if (corpus === undefined)
    throw new UsageError('Say what to serve: --model FOLDER, or --corpus FILE for a new model of the size you give.');
  return { ...models, [NEW_MODEL]: newModel(options, corpus) };
}

const NEW_MODEL = 'new';

function newModel(options: ServeCommandOptions, corpus: string): ModelSource {
  const number = (flag: 'width' | 'layers' | 'heads' | 'vocabulary') => wholeNumber(`--${flag}`, options[flag], 1);
  const context = wholeNumber('--context', options.context ?? '512', 1);
  return {
    kind: 'new',
    size: { width: number('width'), layers: number('layers'), heads: number('heads'), context },
    tokenizer: { corpus: readCorpus(corpus), kind: options.tokenizer, vocabulary: number('vocabulary') },
  };
}

function announce({ url, key, models }: Serving, options: ServeCommandOptions, generated: boolean): void {
  if (options.json) {
    sayJson({
      url,
      ...(generated ? { key } : {}),
      models: models.map(({ name, config }) => ({ name, context: config.context, vocabulary: config.vocabulary })),
    });
    return;
  }
  const said = generated ? key : `the one in $${options.keyEnv}`;
  say(
    '',
    `  ${paint('bold', url)}   the Tinker protocol over the local engine`,
    ...models.map(({ name, config }) => `    model        ${visible(name)}   ${sizeOf(config)}`),
    `    key          ${said}`,
    `    checkpoints  ${visible(join(options.folder, 'checkpoints'))}`,
    ...(isLoopback(options.host)
      ? []
      : ['    Others on the network can reach it, and what they send is not encrypted.']),
    '',
    '  A Python client, with its own tokens:',
    `    export TINKER_BASE_URL=${url}${generated ? ` TINKER_API_KEY=${key}` : ''}`,
    '    pip install tinker',
    '',
    '  Ctrl-C stops it.',
  );
}

function sizeOf(config: ModelConfig): string {
  const { width, layers, context, vocabulary } = config;
  return `${count(modelLayout(config).parameters)} parameters · width ${width} · ${layers} layers · context ${context} · vocabulary ${vocabulary}`;
}
