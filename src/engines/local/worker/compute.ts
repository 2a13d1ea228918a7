/** What a worker does, without the thread around it: one call at a time for training, all samples at once. */
import type { Loss } from '../../../core/engine.ts';
import { loadTokenizer, type Tokenizer } from '../../../tokens/tokenizer.ts';
import type { Guard, SessionOptions } from '../graph/session.ts';
import { type Weights, weightFeeds } from '../model/feeds.ts';
import { Batcher } from '../sample/batcher.ts';
import { adamwUpdate, sumOfSquares } from '../train/adamw.ts';
import { GradientRunner } from '../train/gradient-runner.ts';
import type { MicroBatch } from '../train/micro-batch.ts';
import type {
  CallName,
  Calls,
  HeldArray,
  ModelSpec,
  SampleArguments,
  SampledRow,
  SharedArray,
  SharedWeights,
} from './protocol.ts';

export interface ComputeOptions {
  threads: number;
  maxRows: number;
  /** Wraps every call into the runtime. */
  guard?: Guard | undefined;
}

export class Compute implements AsyncDisposable {
  readonly #session: SessionOptions;
  readonly #batcher: Batcher;
  readonly #runners = new Map<string, GradientRunner>();
  readonly #tokenizers = new Map<string, Tokenizer>();
  /** The runtime does not read shared memory, so weights are copied once per version. */
  readonly #copies = new Map<string, { version: number; array: Float32Array }>();
  readonly #held = new Map<string, Float32Array>();
  /** Dropped arrays by length, to be filled again: the garbage collector is slow to notice large ones. */
  readonly #spare = new Map<number, Float32Array[]>();
  #training: Promise<unknown> = Promise.resolve();
  #pumping = false;

  constructor(options: ComputeOptions) {
    this.#session = { threads: options.threads, guard: options.guard };
    this.#batcher = new Batcher({ ...this.#session, maxRows: options.maxRows });
  }

  async call<K extends CallName>(
    name: K,
    argument: Calls[K]['argument'],
    signal?: AbortSignal,
  ): Promise<Calls[K]['result']> {
    const handlers: { [C in CallName]: (argument: Calls[C]['argument']) => Promise<Calls[C]['result']> } = {
      tokenizer: async ({ key, json }) => {
        this.#tokenizers.set(key, loadTokenizer(json));
        return undefined;
      },
      hold: async ({ key, from }) => {
        const shared = new Float32Array(from);
        const array = this.#spare.get(shared.length)?.pop() ?? new Float32Array(shared.length);
        array.set(shared);
        this.#held.set(key, array);
        return undefined;
      },
      drop: async ({ key }) => {
        this.#copies.delete(key);
        const array = this.#held.get(key);
        this.#held.delete(key);
        // Samples under way still read it; then it goes with them.
        if (array && !this.#batcher.reads(array)) this.#recycle(array);
        return undefined;
      },
      score: (a) => this.#alone(() => this.#batches(a, signal)),
      accumulate: (a) => this.#alone(() => this.#batches(a, signal)),
      reduce: async ({ gradients, range }) => {
        const [first, ...others] = gradients.map((buffer) => new Float32Array(buffer));
        if (!first) return 0;
        for (const other of others) for (let i = range.from; i < range.to; i++) first[i]! += other[i]!;
        return sumOfSquares(first, range);
      },
      update: async ({ range, options, step, scale, ...buffers }) => {
        const array = (buffer: SharedArrayBuffer) => new Float32Array(buffer);
        const { weights, gradient, m, v } = buffers;
        const state = { weights: array(weights), gradient: array(gradient), m: array(m), v: array(v) };
        adamwUpdate(state, options, range, step, scale);
        return undefined;
      },
      sample: (a) => this.#sample(a, signal),
    };
    return handlers[name](argument);
  }

  /** Training calls share scratch memory, so they queue. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#training.then(work, work);
    this.#training = run.catch(() => {});
    return run;
  }

  async #batches(
    argument: {
      model: ModelSpec;
      weights: SharedWeights;
      batches: readonly MicroBatch[];
      loss?: Loss;
      gradient?: SharedArrayBuffer;
    },
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const { model, weights, batches, loss, gradient } = argument;
    const runner = this.#runner(model);
    const local = this.#local(weights);
    const results: Float32Array[] = [];
    for (const batch of batches) {
      signal?.throwIfAborted();
      results.push(
        loss && gradient
          ? await runner.accumulate(local, batch, loss, new Float32Array(gradient))
          : await runner.score(local, batch),
      );
    }
    return results;
  }

  async #sample(argument: SampleArguments, signal?: AbortSignal): Promise<SampledRow[]> {
    const { model, weights, stopStrings, tokenizer, ...job } = argument;
    const served = {
      key: `${weights.base.key} ${weights.adapter?.key ?? ''}`,
      ...model,
      weights: weightFeeds(model.config, this.#local(weights), model.lora),
    };
    const stopWhen = this.#stopRule(stopStrings, tokenizer);
    const rows = this.#batcher.submit({ ...job, model: served, stopWhen }, signal);
    this.#pump();
    return (await rows).map((row) => ({
      tokens: Int32Array.from(row.tokens),
      logprobs: Float32Array.from(row.logprobs),
      stop: row.stop ?? 'length',
    }));
  }

  #stopRule(
    strings: readonly string[] | undefined,
    key: string | undefined,
  ): ((tokens: readonly number[]) => boolean) | undefined {
    if (!strings || strings.length === 0) return undefined;
    const tokenizer = this.#tokenizers.get(key ?? '');
    if (!tokenizer) throw new Error('stop strings need a tokenizer, and this worker has none');
    return (tokens) => {
      const text = tokenizer.decode(tokens);
      return strings.some((stop) => text.includes(stop));
    };
  }

  /** Steps the batcher until it is idle, letting messages in between. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (!this.#batcher.idle) {
        await this.#batcher.step();
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      this.#pumping = false;
    }
  }

  #runner(model: ModelSpec): GradientRunner {
    const key = JSON.stringify(model);
    let runner = this.#runners.get(key);
    if (!runner) {
      runner = new GradientRunner(model.config, { ...this.#session, lora: model.lora });
      this.#runners.set(key, runner);
    }
    return runner;
  }

  #local({ base, adapter }: SharedWeights): Weights {
    return { base: this.#resolve(base), adapter: adapter && this.#resolve(adapter) };
  }

  #recycle(array: Float32Array): void {
    const spare = this.#spare.get(array.length) ?? [];
    spare.push(array);
    this.#spare.set(array.length, spare);
  }

  #resolve(array: SharedArray | HeldArray): Float32Array {
    if ('buffer' in array) return this.#copy(array);
    const held = this.#held.get(array.key);
    if (!held) throw new Error(`weights ${array.key} are gone: only the latest published versions are kept`);
    return held;
  }

  #copy({ key, version, buffer }: SharedArray): Float32Array {
    let copy = this.#copies.get(key);
    if (copy?.version !== version) {
      const shared = new Float32Array(buffer);
      copy = { version, array: copy?.array ?? new Float32Array(shared.length) };
      copy.array.set(shared);
      this.#copies.set(key, copy);
    }
    return copy.array;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#training;
    for (const runner of this.#runners.values()) await runner[Symbol.asyncDispose]();
    await this.#batcher[Symbol.asyncDispose]();
  }
}
