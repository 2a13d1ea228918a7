/** Weights as a graph takes them: views into the flat arrays, by name. */
import type { Feed } from '../graph/session.ts';
import type { LoraConfig, ModelConfig } from './config.ts';
import { type Layout, loraLayout, modelLayout, tensorOf } from './layout.ts';

/** Flat weights: the base, and the adapter where there is one. */
export interface Weights {
  base: Float32Array;
  adapter?: Float32Array | undefined;
}

export function weightFeeds(config: ModelConfig, weights: Weights, lora?: LoraConfig): Record<string, Feed> {
  const feeds = viewsOf(modelLayout(config), weights.base);
  if (!lora) return feeds;
  if (!weights.adapter) throw new Error('an adapter is configured but its weights are missing');
  return { ...feeds, ...viewsOf(loraLayout(config, lora), weights.adapter) };
}

function viewsOf(layout: Layout, flat: Float32Array): Record<string, Feed> {
  if (flat.length !== layout.length) {
    throw new TypeError(`weights of length ${flat.length} do not fit a model of ${layout.length}`);
  }
  return Object.fromEntries(
    layout.tensors.map(({ name, shape }) => [name, { data: tensorOf(layout, flat, name), dims: shape }]),
  );
}
