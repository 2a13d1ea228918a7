/** First weights. Every tensor draws from its own stream, so that a model is a function of its seed and its shape. */
import { mixSeed, normalStream } from '../random.ts';
import type { LoraConfig, ModelConfig } from './config.ts';
import { type Layout, loraLayout, modelLayout } from './layout.ts';

export function initialiseModel(config: ModelConfig, seed: number): Float32Array {
  const layout = modelLayout(config);
  // Two residual branches a layer: scaling what they write keeps the stream's variance independent of depth. Embeddings start
  // at its scale: far below, what a token is would drown in what random weights make of it, and copying be learned late.
  const residual = 1 / Math.sqrt(2 * config.layers);
  return fill(layout, seed, (name, shape) => {
    if (name.endsWith('norm.weight')) return { constant: 1 };
    if (name.endsWith('.bias')) return { constant: 0 };
    const deviation = 1 / Math.sqrt(shape[1]!);
    return { deviation: /o_proj|down_proj/.test(name) ? deviation * residual : deviation };
  });
}

/** B starts at zero: a fresh adapter changes nothing. */
export function initialiseLora(config: ModelConfig, lora: LoraConfig, seed: number): Float32Array {
  return fill(loraLayout(config, lora), seed, (name, shape) =>
    name.endsWith('lora_B.weight') ? { constant: 0 } : { deviation: 1 / Math.sqrt(shape[1]!) },
  );
}

type Start = { constant: number } | { deviation: number };

function fill(layout: Layout, seed: number, start: (name: string, shape: readonly number[]) => Start): Float32Array {
  const flat = new Float32Array(layout.length);
  for (const { name, shape, offset, size } of layout.tensors) {
    const rule = start(name, shape);
    if ('constant' in rule) {
      flat.fill(rule.constant, offset, offset + size);
      continue;
    }
    const normal = normalStream(mixSeed(seed, name));
    for (let i = offset; i < offset + size; i++) flat[i] = normal() * rule.deviation;
  }
  return flat;
}
