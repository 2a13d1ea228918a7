/** An adapter folded into its base: W + (alpha / rank)·B·A, so that any reader of the base's format can use it. */
import type { LoraConfig, ModelConfig } from './config.ts';
import { layerName, loraLayout, modelLayout, projections, tensorOf } from './layout.ts';

export function mergeAdapter(
  config: ModelConfig,
  lora: LoraConfig,
  weights: { base: Float32Array; adapter: Float32Array },
): Float32Array {
  const merged = Float32Array.from(weights.base);
  const [baseLayout, adapterLayout] = [modelLayout(config), loraLayout(config, lora)];
  const scale = lora.alpha / lora.rank;
  for (let layer = 0; layer < config.layers; layer++) {
    for (const [name, out, inner] of projections(config)) {
      const target = tensorOf(baseLayout, merged, layerName(layer, `${name}.weight`));
      const a = tensorOf(adapterLayout, weights.adapter, layerName(layer, `${name}.lora_A.weight`));
      const b = tensorOf(adapterLayout, weights.adapter, layerName(layer, `${name}.lora_B.weight`));
      for (let o = 0; o < out; o++) {
        for (let r = 0; r < lora.rank; r++) {
          const factor = scale * b[o * lora.rank + r]!;
          for (let i = 0; i < inner; i++) target[o * inner + i]! += factor * a[r * inner + i]!;
        }
      }
    }
  }
  return merged;
}
