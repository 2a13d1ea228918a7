/** Where a model comes from: a fresh one of a given size with a tokenizer, or a folder on disk. */
import type { JsonObject } from '../../../core/types.ts';
import type { Chat } from '../../../tokens/chat.ts';
import { loadChat } from '../../../tokens/load-chat.ts';
import { loadTokenizer, type Tokenizer } from '../../../tokens/tokenizer.ts';
import { loadModelFolder } from '../files/hugging-face.ts';
import { buildTokenizer, type TokenizerOptions } from '../tokenizer/build.ts';
import { type ModelConfig, type ModelSize, modelConfig } from './config.ts';
import { initialiseModel } from './initialise.ts';

/** A tokenizer.json, or the corpus to build one from. */
export type TokenizerSource = { json: JsonObject } | ({ corpus: Iterable<string> } & TokenizerOptions);

export type ModelSource =
  | { kind: 'new'; size: Omit<ModelSize, 'vocabulary'>; tokenizer: TokenizerSource }
  | { kind: 'folder'; path: string; context?: number };

export interface SourcedModel {
  config: ModelConfig;
  weights: Float32Array;
  tokenizer: Tokenizer;
  /** The folder's own template; undefined where it has none. */
  chat?: Chat | undefined;
  /** Where that comes from, to be saved beside weights. */
  chatFiles: Readonly<Record<string, string>>;
}

/** Templates that write today's date get this one: a run must be the same tomorrow. */
const PROMPT_DATE = new Date(2026, 0, 1);

export async function openModel(source: ModelSource, seed: number): Promise<SourcedModel> {
  if (source.kind === 'folder') {
    const { context } = source;
    const model = await loadModelFolder(source.path, context === undefined ? {} : { context });
    const { tokenizer, chat, files: chatFiles } = await loadChat(source.path, { now: PROMPT_DATE });
    if (tokenizer.vocabulary > model.config.vocabulary) {
      throw new Error(
        `${source.path}: the tokenizer has ${tokenizer.vocabulary} ids, the model ${model.config.vocabulary}`,
      );
    }
    return { ...model, tokenizer, chat, chatFiles };
  }
  const { tokenizer: from, size } = source;
  const tokenizer = loadTokenizer('json' in from ? from.json : buildTokenizer(from.corpus, from));
  // Exactly the ids that exist: reinforcement would move probability onto any that can never be sampled.
  const config = modelConfig({ ...size, vocabulary: tokenizer.vocabulary });
  return { config, weights: initialiseModel(config, seed), tokenizer, chatFiles: {} };
}
