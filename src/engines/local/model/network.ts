/** The decoder as graph code: what training, prefill and decoding share. Only attention differs between them. */
import type { Graph, Value } from '../graph/graph.ts';
import { add, mul, swiglu } from '../graph/ops/arithmetic.ts';
import { linear } from '../graph/ops/matmul.ts';
import { rmsNorm, rmsNormalise } from '../graph/ops/normalise.ts';
import { type RotaryTable, rotary, rotaryTable } from '../graph/ops/rotary.ts';
import { isAdapted, type LoraConfig, type LoraPart, type ModelConfig } from './config.ts';
import {
  EMBEDDING,
  FINAL_NORM,
  HEAD,
  HEAD_NAME,
  hasBias,
  type Layout,
  layerName,
  loraLayout,
  modelLayout,
  partOf,
} from './layout.ts';

export interface NetworkOptions {
  lora?: LoraConfig | undefined;
  /**
   * The gain of a norm is multiplied into the activations, or into the weights that follow: cheaper to differentiate when
   * a batch has more tokens than a layer has rows. Graphs that sample have it in the norm's own node.
   */
  gains?: 'applied' | 'folded' | 'fused';
  /**
   * Hand out queries divided by √headWidth: the rotation scales for free, and products with the keys that carry no factor
   * of their own have a faster kernel for single queries.
   */
  scaleQueries?: boolean;
}

/** Queries [batch, tokens, heads·w], keys and values [batch, tokens, kvHeads·w], rotated → [batch, tokens, heads·w]. */
export type Attention = (layer: number, q: Value, k: Value, v: Value) => Value;

interface Normed {
  x: Value;
  gain: Value | null;
}

export class Network {
  readonly graph: Graph;
  readonly config: ModelConfig;
  /** Weights by name, as inputs of the graph; each appears when first used. */
  readonly weights: Map<string, Value> = new Map();
  readonly #options: NetworkOptions;
  readonly #layouts: readonly Layout[];
  readonly #rotaryK: RotaryTable;
  readonly #rotaryQ: RotaryTable;

  constructor(graph: Graph, config: ModelConfig, options: NetworkOptions = {}) {
    this.graph = graph;
    this.config = config;
    this.#options = options;
    this.#layouts = [modelLayout(config), ...(options.lora ? [loraLayout(config, options.lora)] : [])];
    const table = { positions: config.context, headWidth: config.headWidth, theta: config.ropeTheta };
    this.#rotaryK = rotaryTable(graph, table);
    this.#rotaryQ = options.scaleQueries
      ? rotaryTable(graph, { ...table, scale: config.headWidth ** -0.5 })
      : this.#rotaryK;
  }

  weight(name: string): Value {
    const known = this.weights.get(name);
    if (known) return known;
    const spec = this.#layouts.map((layout) => layout.byName.get(name)).find((found) => found !== undefined);
    if (!spec) throw new Error(`no tensor ${name} in this model`);
    const value = this.graph.input(name, spec.shape);
    this.weights.set(name, value);
    return value;
  }

  get embedding(): Value {
    return this.weight(EMBEDDING);
  }

  /** x [batch, tokens, width] and positions [batch, tokens] → the residual stream after the last layer. */
  layers(x: Value, positions: Value, attention: Attention): Value {
    for (let layer = 0; layer < this.config.layers; layer++) {
      const at = (part: string) => layerName(layer, part);
      const a = this.#norm(x, at('input_layernorm.weight'));
      const attended = attention(
        layer,
        rotary(this.#project(a, layer, 'self_attn.q_proj'), positions, this.#rotaryQ),
        rotary(this.#project(a, layer, 'self_attn.k_proj'), positions, this.#rotaryK),
        this.#project(a, layer, 'self_attn.v_proj'),
      );
      x = add(x, this.#project({ x: attended, gain: null }, layer, 'self_attn.o_proj'));
      const m = this.#norm(x, at('post_attention_layernorm.weight'));
      const hidden = swiglu(this.#project(m, layer, 'mlp.gate_proj'), this.#project(m, layer, 'mlp.up_proj'));
      x = add(x, this.#project({ x: hidden, gain: null }, layer, 'mlp.down_proj'));
    }
    return x;
  }

  /** The last norm and the output layer. */
  logits(x: Value): Value {
    const normed = this.#norm(x, FINAL_NORM);
    const y = this.#linear(normed, this.weight(this.config.tiedHead ? EMBEDDING : HEAD));
    return this.#adapted(y, normed, HEAD_NAME, 'head');
  }

  #norm(x: Value, name: string): Normed {
    const gain = this.weight(name);
    const { normEps } = this.config;
    const { gains = 'applied' } = this.#options;
    if (gains === 'fused') return { x: rmsNorm(x, gain, normEps), gain: null };
    const normalised = rmsNormalise(x, normEps);
    return gains === 'folded' ? { x: normalised, gain } : { x: mul(normalised, gain), gain: null };
  }

  #linear({ x, gain }: Normed, weight: Value): Value {
    return linear(x, gain ? mul(weight, gain) : weight);
  }

  #project(input: Normed, layer: number, projection: string): Value {
    const name = layerName(layer, projection);
    let y = this.#linear(input, this.weight(`${name}.weight`));
    if (hasBias(this.config, name)) y = add(y, this.weight(`${name}.bias`));
    return this.#adapted(y, input, name, partOf(projection));
  }

  #adapted(y: Value, input: Normed, name: string, part: LoraPart): Value {
    const { lora } = this.#options;
    if (!lora || !isAdapted(lora, part)) return y;
    const down = this.#linear(input, this.weight(`${name}.lora_A.weight`));
    return add(y, linear(down, mul(this.weight(`${name}.lora_B.weight`), lora.alpha / lora.rank)));
  }
}
