/** Runs the training and scoring graphs over micro-batches, and adds the gradients up in one flat array. */
import type { Loss } from '../../../core/engine.ts';
import { disposeSessions, type Feed, GraphSession, type SessionOptions } from '../graph/session.ts';
import { EMBEDDED, gradientName, scoreGraph, trainGraph } from '../model/batch-graph.ts';
import type { LoraConfig, ModelConfig } from '../model/config.ts';
import { type Weights, weightFeeds } from '../model/feeds.ts';
import { EMBEDDING, type Layout, loraLayout, modelLayout, tensorOf } from '../model/layout.ts';
import type { MicroBatch } from './micro-batch.ts';

export class GradientRunner implements AsyncDisposable {
  readonly trainable: Layout;
  readonly #config: ModelConfig;
  readonly #lora: LoraConfig | undefined;
  readonly #base: Layout;
  readonly #sessionOptions: SessionOptions;
  #train: Promise<GraphSession> | undefined;
  #score: Promise<GraphSession> | undefined;
  /** What the runtime writes into, so that a step allocates nothing of the size of the model. */
  #scratch: Float32Array | undefined;

  constructor(config: ModelConfig, { lora, ...session }: { lora?: LoraConfig | undefined } & SessionOptions = {}) {
    this.#config = config;
    this.#lora = lora;
    this.#sessionOptions = session;
    this.#base = modelLayout(config);
    this.trainable = lora ? loraLayout(config, lora) : this.#base;
  }

  async score(weights: Weights, batch: MicroBatch): Promise<Float32Array> {
    this.#score ??= GraphSession.create(scoreGraph(this.#config, this.#lora), this.#sessionOptions);
    const session = await this.#score;
    const { logprobs } = await session.run({ ...weightFeeds(this.#config, weights, this.#lora), ...batchFeeds(batch) });
    return logprobs!.data as Float32Array;
  }

  /** Adds this micro-batch's gradient to `into`; returns its log-probs. */
  async accumulate(weights: Weights, batch: MicroBatch, loss: Loss, into: Float32Array): Promise<Float32Array> {
    this.#train ??= GraphSession.create(trainGraph(this.#config, this.#lora), this.#sessionOptions);
    const session = await this.#train;
    this.#scratch ??= new Float32Array(this.trainable.length);
    const outputs: Record<string, Feed> = {};
    for (const { name, shape } of this.trainable.tensors) {
      if (name === EMBEDDING && !this.#config.tiedHead) continue;
      outputs[gradientName(name)] = { data: tensorOf(this.trainable, this.#scratch, name), dims: shape };
    }
    const feeds = { ...weightFeeds(this.#config, weights, this.#lora), ...batchFeeds(batch), ...lossFeeds(loss) };
    const results = await session.run(feeds, outputs);
    const scratch = this.#scratch;
    for (let i = 0; i < scratch.length; i++) into[i]! += scratch[i]!;
    if (!this.#lora) this.#scatterEmbedded(batch, results[EMBEDDED]!.data as Float32Array, into);
    return results.logprobs!.data as Float32Array;
  }

  #scatterEmbedded(batch: MicroBatch, gradient: Float32Array, into: Float32Array): void {
    const width = this.#config.width;
    const table = tensorOf(this.#base, into, EMBEDDING);
    for (let t = 0; t < batch.tokens.length; t++) {
      const row = Number(batch.tokens[t]) * width;
      const from = t * width;
      for (let i = 0; i < width; i++) table[row + i]! += gradient[from + i]!;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await disposeSessions([this.#train, this.#score]);
  }
}

function batchFeeds(batch: MicroBatch): Record<string, Feed> {
  const grid = [batch.batch, batch.length];
  const column = [batch.rows.length, 1];
  return {
    tokens: { data: batch.tokens, dims: grid },
    positions: { data: batch.positions, dims: grid },
    segments: { data: batch.segments, dims: grid },
    rows: { data: batch.rows, dims: [batch.rows.length] },
    targets: { data: batch.targets, dims: column },
    weights: { data: batch.weights, dims: column },
    advantages: { data: batch.advantages, dims: column },
    old: { data: batch.old, dims: column },
    reference: { data: batch.reference, dims: column },
  };
}

const LARGEST = 3.4e38;

function lossFeeds(loss: Loss): Record<string, Feed> {
  const scalar = (x: number): Feed => ({ data: Float32Array.of(x), dims: [] });
  const klCoef = loss.klCoef ?? 0;
  const clipped = loss.kind === 'clipped';
  return {
    ratio: scalar(loss.kind === 'crossEntropy' ? 0 : 1),
    floor: scalar(clipped ? 1 - loss.clipLow : -LARGEST),
    ceiling: scalar(clipped ? 1 + loss.clipHigh : LARGEST),
    anchored: scalar(klCoef > 0 ? 1 : 0),
    klCoef: scalar(klCoef),
  };
}
