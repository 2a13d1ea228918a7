/** An adapter folded into its base: W + (alpha / rank)·B·A, so that any reader of the base's format can use it. */
import { isAdapted, type LoraConfig, type ModelConfig } from './config.ts';
import { HEAD_NAME, layerName, loraLayout, modelLayout, partOf, projections, tensorOf } from './layout.ts';

export function mergeAdapter(
  config: ModelConfig,
  lora: LoraConfig,
  weights: { base: Float32Array; adapter: Float32Array },
): Float32Array {
  const merged = Float32Array.from(weights.base);
  const [baseLayout, adapterLayout] = [modelLayout(config), loraLayout(config, lora)];
  const scale = lora.alpha / lora.rank;
  const fold = (name: string, out: number, inner: number) => {
    const target = tensorOf(baseLayout, merged, `${name}.weight`);
    const a = tensorOf(adapterLayout, weights.adapter, `${name}.lora_A.weight`);
    const b = tensorOf(adapterLayout, weights.adapter, `${name}.lora_B.weight`);
    for (let o = 0; o < out; o++) {
      for (let r = 0; r < lora.rank; r++) {
        const factor = scale * b[o * lora.rank + r]!;
        for (let i = 0; i < inner; i++) target[o * inner + i]! += factor * a[r * inner + i]!;
      }
    }
  };
  for (let layer = 0; layer < config.layers; layer++) {
    for (const [name, out, inner] of projections(config)) {
      if (isAdapted(lora, partOf(name))) fold(layerName(layer, name), out, inner);
    }
  }
  if (isAdapted(lora, 'head')) {
    if (config.tiedHead) throw new TypeError('an adapter on the output layer cannot be folded into the embedding');
    fold(HEAD_NAME, config.vocabulary, config.width);
  }
  return merged;
}
