/**
 * A player that learns. Its weights, gradients and moments lie in shared memory: every worker adds up the gradient of its
 * own micro-batches, then each reduces and updates one slice of the model.
 */
import type { Datum, ForwardBackward, Loss, OptimStep, Reference, Sampler, Trainer } from '../../core/engine.ts';
import { tokenLoss } from '../../core/loss.ts';
import type { Checkpoint, Message, Player, ToolSpec } from '../../core/types.ts';
import { type CheckpointPlace, discardCheckpoint, loadCheckpoint, saveCheckpoint } from './files/checkpoint.ts';
import type { PlayerModel } from './player.ts';
import { type SampleRouter, samplerOf } from './sampler.ts';
import { ADAMW_DEFAULTS, type Range } from './train/adamw.ts';
import { checkData } from './train/check-data.ts';
import { type MicroBatch, microBatches } from './train/micro-batch.ts';
import { shareOut } from './train/share-out.ts';
import type { WorkerPool } from './worker/pool.ts';
import type { HeldArray, SharedArray, SharedWeights } from './worker/protocol.ts';

/** Published versions of a player that can be sampled from at any time. */
const KEPT_VERSIONS = 4;

export interface TrainerParts {
  model: PlayerModel;
  pool: WorkerPool;
  router: SampleRouter;
  /** Folder of the run's checkpoints. */
  checkpoints: string;
  maxTokens: number;
}

export class LocalTrainer implements Trainer {
  readonly player: Player;
  readonly #parts: TrainerParts;
  readonly #place: CheckpointPlace;
  readonly #trained: SharedArray;
  readonly #m: SharedArrayBuffer;
  readonly #v: SharedArrayBuffer;
  /** One a worker. The first holds the sum after a reduction. */
  readonly #gradients: SharedArrayBuffer[];
  #step = 0;
  readonly #published: { count: number; held: HeldArray[] } = { count: 0, held: [] };
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: TrainerParts) {
    const { model, pool, checkpoints } = parts;
    this.player = model.player;
    this.#parts = parts;
    this.#place = { folder: checkpoints, player: model.player, model: model.spec, layout: model.trainable };
    const initial = model.initial.adapter ?? model.initial.base;
    this.#trained = { key: `${model.player}/training`, version: 0, buffer: initial.buffer.slice(0) };
    const { byteLength } = initial.buffer;
    this.#m = new SharedArrayBuffer(byteLength);
    this.#v = new SharedArrayBuffer(byteLength);
    this.#gradients = Array.from({ length: pool.size }, () => new SharedArrayBuffer(byteLength));
  }

  async encode(messages: readonly Message[], tools: readonly ToolSpec[]): Promise<Int32Array> {
    return this.#parts.model.chat.prompt(messages, tools);
  }

  forward(data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#exclusive(() => scoreData(this.#parts, this.#weights(), data, signal));
  }

  forwardBackward(data: readonly Datum[], loss: Loss, signal?: AbortSignal): Promise<ForwardBackward> {
    return this.#exclusive(async () => {
      const { model, pool } = this.#parts;
      checkData(data, model.spec.config, loss);
      const batches = planBatches(this.#parts, data);
      const shares = shareOut(batches, pool.size);
      const weights = this.#weights();
      const argument = { model: model.spec, weights, loss };
      try {
        const results = await settled(
          shares.map((share, worker) => {
            const gradient = this.#gradients[worker]!;
            return share.length > 0
              ? pool.call(worker, 'accumulate', { ...argument, batches: share, gradient }, signal)
              : Promise.resolve([]);
          }),
        );
        const scored = shares.flatMap((share, worker) =>
          share.map((batch, i) => ({ batch, logp: results[worker]![i]! })),
        );
        return collect(data, scored, loss);
      } catch (error) {
        // Part of a batch is no gradient of anything.
        this.#clearGradients();
        throw error;
      }
    });
  }

  optimStep(options: OptimStep): Promise<{ gradNorm: number }> {
    return this.#exclusive(async () => {
      const { pool, model } = this.#parts;
      const { maxGradNorm, ...rest } = options;
      if (!(options.learningRate >= 0))
        throw new RangeError(`learningRate must be 0 or more (got ${options.learningRate})`);
      const ranges = slices(model.trainable.length, pool.size);
      const squares = await pool.all('reduce', (worker) => ({ gradients: this.#gradients, range: ranges[worker]! }));
      const gradNorm = Math.sqrt(squares.reduce((sum, x) => sum + x, 0));
      if (!Number.isFinite(gradNorm)) {
        this.#clearGradients();
        throw new Error(
          `the gradient of ${this.player} is not finite: the update was dropped (lower the learning rate or clip)`,
        );
      }
      this.#step++;
      const scale = maxGradNorm !== undefined && gradNorm > maxGradNorm ? maxGradNorm / gradNorm : 1;
      await pool.all('update', (worker) => ({
        weights: this.#trained.buffer,
        gradient: this.#gradients[0]!,
        m: this.#m,
        v: this.#v,
        range: ranges[worker]!,
        options: { ...ADAMW_DEFAULTS, ...rest },
        step: this.#step,
        scale,
      }));
      this.#trained.version++;
      this.#clearGradients();
      return { gradNorm };
    });
  }

  /** Every worker copies the weights. The latest few versions are kept; to sample from an older one is an error. */
  publish(version: string): Promise<Sampler> {
    return this.#exclusive(async () => {
      const { model, router, pool } = this.#parts;
      const frozen = { key: `${this.player}/published-${this.#published.count++}` };
      while (this.#published.held.length >= KEPT_VERSIONS) {
        const oldest = this.#published.held.shift()!;
        await pool.all('drop', () => oldest);
      }
      await pool.all('hold', () => ({ ...frozen, from: this.#trained.buffer }));
      this.#published.held.push(frozen);
      return samplerOf(router, model, this.#weights(frozen), version);
    });
  }

  save(name: string): Promise<Checkpoint> {
    return this.#exclusive(() => {
      const array = (buffer: SharedArrayBuffer) => new Float32Array(buffer);
      const state = { weights: array(this.#trained.buffer), m: array(this.#m), v: array(this.#v), step: this.#step };
      return saveCheckpoint(this.#place, name, state);
    });
  }

  load(checkpoint: Checkpoint): Promise<void> {
    return this.#exclusive(async () => {
      const state = await loadCheckpoint(this.#place, checkpoint);
      new Float32Array(this.#trained.buffer).set(state.weights);
      new Float32Array(this.#m).set(state.m);
      new Float32Array(this.#v).set(state.v);
      this.#step = state.step;
      this.#trained.version++;
      this.#clearGradients();
    });
  }

  discard(checkpoint: Checkpoint): Promise<void> {
    return this.#exclusive(() => discardCheckpoint(this.#place, checkpoint));
  }

  /** The current weights, in the order and under the names of the model: for export. */
  weights(): Float32Array {
    return Float32Array.from(new Float32Array(this.#trained.buffer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue;
  }

  #weights(trained: SharedArray | HeldArray = this.#trained): SharedWeights {
    const { base, adapter } = this.#parts.model.initial;
    return adapter ? { base, adapter: trained } : { base: trained };
  }

  #clearGradients(): void {
    for (const gradient of this.#gradients) new Float32Array(gradient).fill(0);
  }

  /** Calls take effect in the order they were made. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => {});
    return run;
  }
}

/** The player as it was before training. */
export function referenceOf(parts: TrainerParts): Reference {
  const { model, router } = parts;
  return {
    ...samplerOf(router, model, model.initial, `${model.player}-initial`),
    logprobs: (data, signal) => scoreData(parts, model.initial, data, signal),
  };
}

async function scoreData(
  parts: TrainerParts,
  weights: SharedWeights,
  data: readonly Datum[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const { pool, model } = parts;
  checkData(data, model.spec.config);
  const shares = shareOut(planBatches(parts, data), pool.size);
  const results = await settled(
    shares.map((share, worker) =>
      share.length > 0
        ? pool.call(worker, 'score', { model: model.spec, weights, batches: share }, signal)
        : Promise.resolve([]),
    ),
  );
  const scored = shares.flatMap((share, worker) => share.map((batch, i) => ({ batch, logp: results[worker]![i]! })));
  return collect(data, scored).logprobs;
}

function planBatches({ maxTokens, pool }: TrainerParts, data: readonly Datum[]): MicroBatch[] {
  const total = data.reduce((sum, datum) => sum + datum.tokens.length, 0);
  // Small batches are cut too, so that every worker has its share.
  return microBatches(data, { maxTokens: Math.min(maxTokens, Math.ceil(total / pool.size)) });
}

/** Log-probs back in the places of their tokens, and the loss they make. */
function collect(
  data: readonly Datum[],
  scored: readonly { batch: MicroBatch; logp: Float32Array }[],
  loss?: Loss,
): ForwardBackward {
  const logprobs = data.map((datum) => new Float32Array(datum.tokens.length));
  let total = 0;
  for (const { batch, logp } of scored) {
    for (const [i, value] of logp.entries()) {
      if (Number.isNaN(value)) {
        throw new Error(
          `datum ${batch.datum[i]}: the log-probability of token ${batch.entry[i]} is NaN (NaN weights?)`,
        );
      }
      logprobs[batch.datum[i]!]![batch.entry[i]!] = value;
      if (loss) total += tokenLoss(loss, data[batch.datum[i]!]!, batch.entry[i]!, value).loss;
    }
  }
  return { loss: total, logprobs };
}

/** Waits for all, then fails with the first error: nothing is still running when the caller learns of it. */
async function settled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Equal slices of the flat arrays, on vector boundaries. */
function slices(length: number, count: number): Range[] {
  const width = Math.ceil(length / count / 16) * 16;
  return Array.from({ length: count }, (_, i) => ({
    from: Math.min(length, i * width),
    to: Math.min(length, (i + 1) * width),
  }));
}
