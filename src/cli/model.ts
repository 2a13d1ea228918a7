/** `genenv model`: make, look at and take out models of the local engine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Player } from '../core/types.ts';
import { modelLayout, openModel, saveModelFolder } from '../engines/local/index.ts';
import { exportModel, storedConfig } from '../run.ts';
import { openReader } from '../store/index.ts';
import { readCorpus } from './corpus.ts';
import { UsageError } from './errors.ts';
import { count, fileSize } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import { type CommonOptions, wholeNumber } from './options.ts';
import { findRun } from './run-folder.ts';
import { say, sayJson } from './say.ts';
import { visible } from './visible.ts';

export interface NewModelOptions extends CommonOptions {
  corpus: string;
  tokenizer: 'words' | 'bytePairs';
  vocabulary: string;
  width: string;
  layers: string;
  heads: string;
  context: string;
  seed: string;
}

export async function newModel(folder: string, options: NewModelOptions): Promise<void> {
  if (existsSync(folder)) throw new UsageError(`${visible(folder)} exists already. Choose another folder.`);
  const number = (flag: Exclude<keyof NewModelOptions, keyof CommonOptions>, least = 1) =>
    wholeNumber(`--${flag}`, options[flag], least);
  const size = { width: number('width'), layers: number('layers'), heads: number('heads'), context: number('context') };
  const tokenizer = { corpus: readCorpus(options.corpus), kind: options.tokenizer, vocabulary: number('vocabulary') };
  const model = await openModel({ kind: 'new', size, tokenizer }, number('seed', 0));
  await saveModelFolder(folder, { ...model, tokenizer: model.tokenizer.json });
  await modelInfo(folder, options);
}

export async function modelInfo(folder: string, options: CommonOptions): Promise<void> {
  if (!existsSync(join(folder, 'config.json')))
    throw new UsageError(`${visible(folder)} is no model folder: it has no config.json.`);
  const { config, tokenizer, chat } = await openModel({ kind: 'folder', path: folder }, 0);
  const { parameters } = modelLayout(config);
  if (options.json) {
    sayJson({ folder, parameters, ...config, tokenizer: tokenizer.vocabulary, chatTemplate: chat !== undefined });
    return;
  }
  const { width, layers, heads, kvHeads, mlpWidth, context, vocabulary, tiedHead, qkvBias } = config;
  say(
    '',
    `  ${visible(folder)}   ${count(parameters)} parameters, ${fileSize(4 * parameters)} in fp32`,
    `    width ${width} · ${layers} layers · ${heads} heads (${kvHeads} for keys and values) · mlp ${mlpWidth} · context ${context}`,
    `    vocabulary ${vocabulary} · ${tiedHead ? 'tied' : 'untied'} head${qkvBias ? ' · biases on q, k, v' : ''}`,
    chat
      ? `    a chat template of its own; turns end at ${chat.stops.map((id) => tokenizer.markOf(id) ?? id).join(' ')}`
      : '    no chat template',
    `    training the whole of it takes about ${fileSize(16 * parameters)} for weights, gradients and moments`,
    ...nextSteps([
      command(options, 'train', '--engine', 'local', '--set', `engine.model=${folder}`),
      'train it on your tasks',
    ]),
  );
}

export async function exportModelCommand(
  name: string,
  out: string,
  options: CommonOptions & { player: Player },
): Promise<void> {
  const { folder } = findRun(name, options);
  if (existsSync(out)) throw new UsageError(`${visible(out)} exists already. Choose another folder.`);
  if (engineOf(folder) !== 'local')
    throw new UsageError(`${visible(name)} was not played by the local engine: it has no models to export.`);
  await exportModel(folder, options.player, out);
  await modelInfo(out, options);
}

function engineOf(folder: string): string {
  using reader = openReader(folder);
  return storedConfig(reader.meta().config).engine.kind;
}
