/**
 * Many models on a few bases, all on one pool of workers, by tokens alone: what a training server needs. Adapters share
 * their base's memory; a model without an adapter trains a copy of it.
 */
import type { Datum, ForwardBackward, Loss, OptimStep } from '../../core/engine.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { type CheckpointPlace, loadCheckpoint, loadWeights, saveCheckpoint } from './files/checkpoint.ts';
import { Learner, weightsOf } from './learner.ts';
import { checkLora, type LoraConfig, type ModelConfig } from './model/config.ts';
import { modelLayout } from './model/layout.ts';
import { type ModelSource, openModel, type SourcedModel } from './model/source.ts';
import { type LocalModel, localModel, share } from './player.ts';
import { mixSeed } from './random.ts';
import { SampleRouter, type TokenRequest } from './sampler.ts';
import { scoreData } from './scored-batches.ts';
import { planThreads } from './worker/plan.ts';
import { WorkerPool } from './worker/pool.ts';
import type { HeldArray, SampledRow, SharedArray, SharedWeights } from './worker/protocol.ts';

export interface LocalHostOptions {
  /** The models that others are made from, by name. */
  bases: Readonly<Record<string, ModelSource>>;
  /** Decides fresh weights, and adapters that bring no seed of their own. */
  seed: number;
  threads?: number;
  maxRows?: number;
  microBatchTokens?: number;
}

/** An adapter to train; its scale is twice its rank, as everywhere in this engine. */
export interface AdapterOptions {
  rank: number;
  seed?: number | undefined;
  on?: LoraConfig['on'];
}

export interface HostedBase {
  name: string;
  config: ModelConfig;
  tokenizer: Tokenizer;
  /** The id that ends a turn. */
  end: number;
}

/** Frozen weights, by tokens. */
export interface HostedSampler {
  sample(request: TokenRequest): Promise<SampledRow[]>;
  /** Log-probs of all tokens but the first, each given those before it. */
  logprobs(tokens: Int32Array, signal?: AbortSignal): Promise<Float32Array>;
  release(): Promise<void>;
}

interface Base extends HostedBase {
  model: SourcedModel;
  weights: SharedArray;
  /** The base as a model, for its own samples. */
  plain: LocalModel;
}

export async function localHost(options: LocalHostOptions): Promise<LocalHost> {
  const bases: Base[] = [];
  for (const [name, source] of Object.entries(options.bases)) {
    const model = await openModel(source, options.seed);
    const weights = share(`base ${name}`, model.weights);
    const plain = localModel({ name: `base ${name}`, tokenizerKey: name, model, base: weights });
    bases.push({ name, ...model, end: plain.chat.end, model, weights, plain });
  }
  const largest = Math.max(...bases.map(({ config }) => modelLayout(config).parameters));
  const { workers, threads, maxRows, maxTokens } = planThreads(largest, options.threads);
  const pool = new WorkerPool({ workers, threads, maxRows: options.maxRows ?? maxRows });
  try {
    for (const { name, tokenizer } of bases) await pool.all('tokenizer', () => ({ key: name, json: tokenizer.json }));
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    throw error;
  }
  return new LocalHost(bases, pool, { seed: options.seed, maxTokens: options.microBatchTokens ?? maxTokens });
}

export class LocalHost implements AsyncDisposable {
  readonly #bases: ReadonlyMap<string, Base>;
  readonly #parts: SharedParts;
  readonly #seed: number;
  #opened = 0;

  constructor(bases: readonly Base[], pool: WorkerPool, settings: { seed: number; maxTokens: number }) {
    this.#bases = new Map(bases.map((base) => [base.name, base]));
    this.#parts = { pool, router: new SampleRouter(pool), maxTokens: settings.maxTokens };
    this.#seed = settings.seed;
  }

  get bases(): readonly HostedBase[] {
    return [...this.#bases.values()];
  }

  /** A model to train. `name` must be new. */
  create(name: string, base: string, adapter?: AdapterOptions): HostedModel {
    const model = this.#model(name, base, adapter);
    return new HostedModel({ ...this.#parts, model });
  }

  /** The base itself, to sample from. */
  sampler(base: string): HostedSampler {
    const { plain } = this.#base(base);
    return samplerOf({ ...this.#parts, model: plain }, plain.initial, async () => {});
  }

  /** A checkpoint in a folder, to sample from. */
  async open(checkpoint: {
    folder: string;
    name: string;
    base: string;
    adapter?: AdapterOptions | undefined;
  }): Promise<HostedSampler> {
    const { folder, name, base, adapter } = checkpoint;
    const model = this.#model(`opened-${this.#opened++}`, base, adapter);
    const weights = await loadWeights(placeOf(model, folder), name);
    const held = { key: `${model.name}/held` };
    const { buffer } = share(held.key, weights);
    await this.#parts.pool.all('hold', () => ({ ...held, from: buffer }));
    return heldSampler({ ...this.#parts, model }, held);
  }

  #model(name: string, baseName: string, adapter: AdapterOptions | undefined): LocalModel {
    const { model, weights } = this.#base(baseName);
    const lora: LoraConfig | undefined = adapter && loraOf(adapter);
    const seed = adapter?.seed ?? mixSeed(this.#seed, name, 'lora');
    return localModel({ name, tokenizerKey: baseName, model, base: weights, adapter: lora && { lora, seed } });
  }

  #base(name: string): Base {
    const base = this.#bases.get(name);
    if (!base)
      throw new RangeError(`there is no base model "${name}" (there are: ${[...this.#bases.keys()].join(', ')})`);
    return base;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.pool[Symbol.asyncDispose]();
  }
}

const loraOf = ({ rank, on }: AdapterOptions): LoraConfig =>
  checkLora({ rank, alpha: 2 * rank, ...(on === undefined ? {} : { on }) });

interface SharedParts {
  pool: WorkerPool;
  router: SampleRouter;
  maxTokens: number;
}

type ModelParts = SharedParts & { model: LocalModel };

/** A model being trained. Calls take effect in the order they were made. */
export class HostedModel {
  readonly #parts: ModelParts;
  readonly #learner: Learner;

  constructor(parts: ModelParts) {
    this.#parts = parts;
    this.#learner = new Learner(parts);
  }

  forward(data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#learner.forward(data, signal);
  }

  forwardBackward(data: readonly Datum[], loss: Loss, signal?: AbortSignal): Promise<ForwardBackward> {
    return this.#learner.forwardBackward(data, loss, signal);
  }

  optimStep(step: OptimStep): Promise<{ gradNorm: number }> {
    return this.#learner.optimStep(step);
  }

  clearGradients(): Promise<void> {
    return this.#learner.clearGradients();
  }

  /** The weights as they are now, to sample from. */
  async freeze(): Promise<HostedSampler> {
    return heldSampler(this.#parts, await this.#learner.freeze());
  }

  /** Writes a checkpoint under a folder; returns its SHA-256. To sample from it, the weights are enough. */
  save(folder: string, name: string, { weightsOnly = false }: { weightsOnly?: boolean } = {}): Promise<string> {
    const place = placeOf(this.#parts.model, folder);
    const arrays = weightsOnly ? (['weights'] as const) : undefined;
    return this.#learner.withState((state) => saveCheckpoint(place, name, state, arrays));
  }

  /** Takes over a checkpoint; without `optimizer`, moments and step start afresh. */
  load(folder: string, name: string, { optimizer }: { optimizer: boolean }): Promise<void> {
    const place = placeOf(this.#parts.model, folder);
    return this.#learner.restore(async () =>
      optimizer ? loadCheckpoint(place, name) : { weights: await loadWeights(place, name) },
    );
  }

  unload(): Promise<void> {
    return this.#learner.forget();
  }
}

const placeOf = ({ spec, trainable }: LocalModel, folder: string): CheckpointPlace => ({
  folder,
  model: spec,
  layout: trainable,
});

function heldSampler(parts: ModelParts, held: HeldArray): HostedSampler {
  return samplerOf(parts, weightsOf(parts.model, held), async () => {
    await parts.pool.all('drop', () => held);
  });
}

function samplerOf(parts: ModelParts, weights: SharedWeights, release: () => Promise<void>): HostedSampler {
  const { model, router } = parts;
  return {
    sample: (request) => router.continue(model, weights, request),
    async logprobs(tokens, signal) {
      const all = Float32Array.from(tokens, (_, t) => (t === 0 ? 0 : 1));
      const [logprobs] = await scoreData(parts, weights, [{ tokens, weights: all }], signal);
      return logprobs!.subarray(1);
    },
    release,
  };
}
