/** Model folders as Hugging Face lays them out: config.json, safetensors (one file or shards), tokenizer.json. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '../../../core/types.ts';
import { type ModelConfig, modelConfig } from '../model/config.ts';
import { HEAD, type Layout, modelLayout, tensorOf } from '../model/layout.ts';
import { writeFolder, writeText } from './folder.ts';
import { SafetensorsFile, writeSafetensors } from './safetensors.ts';

export interface LoadedModel {
  config: ModelConfig;
  weights: Float32Array;
}

export interface SavedModel extends LoadedModel {
  tokenizer: JsonObject;
  /** Chat template, special tokens, ids that end a turn: file names and their text. */
  chatFiles?: Readonly<Record<string, string>>;
}

const FAMILIES = ['llama', 'qwen2', 'mistral'];

export async function loadModelFolder(folder: string, limits: { context?: number } = {}): Promise<LoadedModel> {
  const raw = await readJson(join(folder, 'config.json'));
  const names = await shards(folder);
  const files: SafetensorsFile[] = [];
  try {
    for (const name of names) files.push(await SafetensorsFile.open(join(folder, name)));
    const config = configFrom(raw, { hasHead: files.some((file) => file.tensors.has(HEAD)), ...limits });
    const layout = modelLayout(config);
    const weights = new Float32Array(layout.length);
    for (const { name, shape } of layout.tensors) {
      const file = files.find((candidate) => candidate.tensors.has(name));
      if (!file) throw new Error(`${folder}: tensor ${name} is in none of ${names.join(', ')}`);
      await file.read(name, shape, tensorOf(layout, weights, name));
    }
    checkFinite(folder, layout, weights);
    return { config, weights };
  } finally {
    for (const file of files) await file[Symbol.asyncDispose]();
  }
}

export async function saveModelFolder(folder: string, model: SavedModel): Promise<void> {
  const layout = modelLayout(model.config);
  await writeFolder(folder, async (temporary) => {
    const tensors = layout.tensors.map(({ name, shape }) => ({
      name,
      shape,
      data: tensorOf(layout, model.weights, name),
    }));
    await writeSafetensors(join(temporary, 'model.safetensors'), tensors);
    await writeText(join(temporary, 'config.json'), `${JSON.stringify(configTo(model.config), null, 2)}\n`);
    await writeText(join(temporary, 'tokenizer.json'), JSON.stringify(model.tokenizer));
    for (const [name, text] of Object.entries(model.chatFiles ?? {})) {
      await mkdir(join(temporary, dirname(name)), { recursive: true });
      await writeText(join(temporary, name), text);
    }
  });
}

async function readJson(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8');
  try {
    const parsed: Json = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch (error) {
    throw new Error(`${path} is not JSON: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  throw new Error(`${path} holds no JSON object`);
}

/** The weight files: those an index lists, or the single one. */
async function shards(folder: string): Promise<string[]> {
  const index = join(folder, 'model.safetensors.index.json');
  const sharded = await stat(index).then(
    () => true,
    () => false,
  );
  if (!sharded) return ['model.safetensors'];
  const { weight_map: map } = await readJson(index);
  const files = [...new Set(Object.values((map ?? {}) as Record<string, unknown>))];
  for (const file of files) {
    // The list comes with the model; it names files of this folder and nothing beyond it.
    if (typeof file !== 'string' || !/^[\w.-]+\.safetensors$/.test(file))
      throw new Error(`${index} names ${JSON.stringify(file)}`);
  }
  if (files.length === 0) throw new Error(`${index} lists no files`);
  return files as string[];
}

function configFrom(raw: JsonObject, options: { hasHead: boolean; context?: number }): ModelConfig {
  const family = String(raw.model_type);
  const refuse = (why: string): never => {
    throw new Error(`config.json: ${why}`);
  };
  if (!FAMILIES.includes(family)) refuse(`model_type ${family} is not one of ${FAMILIES.join(', ')}`);
  if ((raw.hidden_act ?? 'silu') !== 'silu') refuse(`hidden_act ${raw.hidden_act} is not silu`);
  const rope = (raw.rope_parameters ?? raw.rope_scaling ?? null) as { rope_type?: string; rope_theta?: number } | null;
  if (rope && (rope.rope_type ?? 'default') !== 'default') refuse(`rope_type ${rope.rope_type} is not supported`);
  if (raw.mlp_bias === true) refuse('mlp_bias is not supported');
  const number = (key: string, fallback?: number): number => {
    const value = raw[key] ?? fallback;
    return typeof value === 'number' ? value : refuse(`${key} is missing`);
  };
  const heads = number('num_attention_heads');
  const context = number('max_position_embeddings', 2048);
  return modelConfig({
    vocabulary: number('vocab_size'),
    width: number('hidden_size'),
    layers: number('num_hidden_layers'),
    heads,
    kvHeads: number('num_key_value_heads', heads),
    headWidth: number('head_dim', number('hidden_size') / heads),
    mlpWidth: number('intermediate_size'),
    context: Math.min(context, options.context ?? context),
    ropeTheta: rope?.rope_theta ?? number('rope_theta', 10_000),
    normEps: number('rms_norm_eps', 1e-6),
    tiedHead: raw.tie_word_embeddings === true || !options.hasHead,
    qkvBias: family === 'qwen2' || raw.attention_bias === true,
  });
}

function configTo(config: ModelConfig): JsonObject {
  return {
    architectures: [config.qkvBias ? 'Qwen2ForCausalLM' : 'LlamaForCausalLM'],
    model_type: config.qkvBias ? 'qwen2' : 'llama',
    hidden_act: 'silu',
    vocab_size: config.vocabulary,
    hidden_size: config.width,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.kvHeads,
    head_dim: config.headWidth,
    intermediate_size: config.mlpWidth,
    max_position_embeddings: config.context,
    rope_theta: config.ropeTheta,
    rms_norm_eps: config.normEps,
    tie_word_embeddings: config.tiedHead,
    torch_dtype: 'float32',
  };
}

function checkFinite(folder: string, layout: Layout, weights: Float32Array): void {
  for (const { name } of layout.tensors) {
    if (tensorOf(layout, weights, name).some((x) => !Number.isFinite(x))) {
      throw new Error(`${folder}: tensor ${name} holds NaN or infinite weights`);
    }
  }
}
