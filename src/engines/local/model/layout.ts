/**
 * Where each tensor lies in one flat array. A model's weights, its gradients and both moments of the optimizer share a
 * layout, so that they move, add up and shard as plain arrays. Names are those of Hugging Face.
 */
import { isAdapted, type LoraConfig, type LoraPart, type ModelConfig } from './config.ts';

export interface TensorSpec {
  name: string;
  shape: readonly number[];
  offset: number;
  size: number;
}

export interface Layout {
  tensors: readonly TensorSpec[];
  byName: ReadonlyMap<string, TensorSpec>;
  /** Length of the flat array, gaps for alignment included. */
  length: number;
  /** Numbers that belong to a tensor. */
  parameters: number;
}

/** Vectors of the kernels are 16 floats wide. */
const ALIGNMENT = 16;

function layoutOf(shapes: readonly { name: string; shape: readonly number[] }[]): Layout {
  let length = 0;
  let parameters = 0;
  const tensors = shapes.map(({ name, shape }) => {
    const size = shape.reduce((product, dim) => product * dim, 1);
    const spec = { name, shape, offset: length, size };
    length += Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    parameters += size;
    return spec;
  });
  return { tensors, byName: new Map(tensors.map((tensor) => [tensor.name, tensor])), length, parameters };
}

export const EMBEDDING = 'model.embed_tokens.weight';
/** The output layer, also where its weights are the embedding's: an adapter on it is its own. */
export const HEAD_NAME = 'lm_head';
export const HEAD = 'lm_head.weight';
export const FINAL_NORM = 'model.norm.weight';

export function layerName(layer: number, part: string): string {
  return `model.layers.${layer}.${part}`;
}

/** The seven projections of a layer, as [name, out, in]. */
export function projections(config: ModelConfig): [string, number, number][] {
  const { width, mlpWidth } = config;
  const q = config.heads * config.headWidth;
  const kv = config.kvHeads * config.headWidth;
  return [
    ['self_attn.q_proj', q, width],
    ['self_attn.k_proj', kv, width],
    ['self_attn.v_proj', kv, width],
    ['self_attn.o_proj', width, q],
    ['mlp.gate_proj', mlpWidth, width],
    ['mlp.up_proj', mlpWidth, width],
    ['mlp.down_proj', width, mlpWidth],
  ];
}

/** Which part of a network a projection belongs to. */
export const partOf = (projection: string): LoraPart => (projection.startsWith('mlp.') ? 'mlp' : 'attention');

export function hasBias(config: ModelConfig, projection: string): boolean {
  return config.qkvBias && /\.[qkv]_proj$/.test(projection);
}

export function modelLayout(config: ModelConfig): Layout {
  const shapes: { name: string; shape: number[] }[] = [{ name: EMBEDDING, shape: [config.vocabulary, config.width] }];
  for (let layer = 0; layer < config.layers; layer++) {
    shapes.push({ name: layerName(layer, 'input_layernorm.weight'), shape: [config.width] });
    shapes.push({ name: layerName(layer, 'post_attention_layernorm.weight'), shape: [config.width] });
    for (const [name, out, inner] of projections(config)) {
      shapes.push({ name: layerName(layer, `${name}.weight`), shape: [out, inner] });
      if (hasBias(config, name)) shapes.push({ name: layerName(layer, `${name}.bias`), shape: [out] });
    }
  }
  shapes.push({ name: FINAL_NORM, shape: [config.width] });
  if (!config.tiedHead) shapes.push({ name: HEAD, shape: [config.vocabulary, config.width] });
  return layoutOf(shapes);
}

export function loraLayout(config: ModelConfig, lora: LoraConfig): Layout {
  const shapes: { name: string; shape: number[] }[] = [];
  const add = (name: string, out: number, inner: number) => {
    shapes.push({ name: `${name}.lora_A.weight`, shape: [lora.rank, inner] });
    shapes.push({ name: `${name}.lora_B.weight`, shape: [out, lora.rank] });
  };
  for (let layer = 0; layer < config.layers; layer++) {
    for (const [name, out, inner] of projections(config)) {
      if (isAdapted(lora, partOf(name))) add(layerName(layer, name), out, inner);
    }
  }
  if (isAdapted(lora, 'head')) add(HEAD_NAME, config.vocabulary, config.width);
  return layoutOf(shapes);
}

/** A tensor's part of the flat array, without copying. */
export function tensorOf(layout: Layout, flat: Float32Array, name: string): Float32Array {
  const spec = layout.byName.get(name);
  if (!spec) throw new Error(`no tensor ${name} in this model`);
  return flat.subarray(spec.offset, spec.offset + spec.size);
}
