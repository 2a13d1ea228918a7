/**
 * A model that learns, by tokens alone. Its weights, gradients and moments lie in shared memory: every worker adds up the
 * gradient of its own micro-batches, then each reduces and updates one slice of the model.
 */
import type { Datum, ForwardBackward, Loss, OptimStep } from '../../core/engine.ts';
import type { TrainerState } from './files/checkpoint.ts';
import type { LocalModel } from './player.ts';
import { collect, type LearnerParts, planBatches, scoreData, settled } from './scored-batches.ts';
import { ADAMW_DEFAULTS, type Range } from './train/adamw.ts';
import { checkData } from './train/check-data.ts';
import { shareOut } from './train/share-out.ts';
import type { HeldArray, SharedArray, SharedWeights } from './worker/protocol.ts';

export class Learner {
  readonly #parts: LearnerParts;
  readonly #trained: SharedArray;
  readonly #m: SharedArrayBuffer;
  readonly #v: SharedArrayBuffer;
  /** One a worker. The first holds the sum after a reduction. */
  readonly #gradients: SharedArrayBuffer[];
  #step = 0;
  #frozen = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: LearnerParts) {
    const { model, pool } = parts;
    this.#parts = parts;
    const initial = model.initial.adapter ?? model.initial.base;
    this.#trained = { key: `${model.name}/training`, version: 0, buffer: initial.buffer.slice(0) };
    const { byteLength } = initial.buffer;
    this.#m = new SharedArrayBuffer(byteLength);
    this.#v = new SharedArrayBuffer(byteLength);
    this.#gradients = Array.from({ length: pool.size }, () => new SharedArrayBuffer(byteLength));
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
          `the gradient of ${model.name} is not finite: the update was dropped (lower the learning rate or clip)`,
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

  /** Forgets what was accumulated since the last step. */
  clearGradients(): Promise<void> {
    return this.#exclusive(async () => this.#clearGradients());
  }

  /** Every worker copies the weights as they are now, under a key of their own, until it is told to drop them. */
  freeze(): Promise<HeldArray> {
    return this.#exclusive(async () => {
      const { model, pool } = this.#parts;
      const frozen = { key: `${model.name}/published-${this.#frozen++}` };
      await pool.all('hold', () => ({ ...frozen, from: this.#trained.buffer }));
      return frozen;
    });
  }

  /** Lends the state, the arrays themselves, until the work on it is done. */
  withState<T>(work: (state: TrainerState) => Promise<T>): Promise<T> {
    return this.#exclusive(() => {
      const array = (buffer: SharedArrayBuffer) => new Float32Array(buffer);
      return work({ weights: array(this.#trained.buffer), m: array(this.#m), v: array(this.#v), step: this.#step });
    });
  }

  /** Takes over a state; without moments the optimizer starts afresh. */
  restore(read: () => Promise<Pick<TrainerState, 'weights'> & Partial<TrainerState>>): Promise<void> {
    return this.#exclusive(async () => {
      const { weights, m, v, step = 0 } = await read();
      new Float32Array(this.#trained.buffer).set(weights);
      for (const [moment, saved] of [[this.#m, m] as const, [this.#v, v] as const]) {
        const array = new Float32Array(moment);
        if (saved) array.set(saved);
        else array.fill(0);
      }
      this.#step = step;
      this.#trained.version++;
      this.#clearGradients();
    });
  }

  /** When all that was asked for is done. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  /** The workers forget the weights too. */
  async forget(): Promise<void> {
    await this.#exclusive(() => this.#parts.pool.all('drop', () => ({ key: this.#trained.key })));
  }

  #weights(): SharedWeights {
    return weightsOf(this.#parts.model, this.#trained);
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

/** A model's weights, with what is trained of it in another state. */
export function weightsOf({ initial }: LocalModel, trained: SharedArray | HeldArray): SharedWeights {
  return initial.adapter ? { base: initial.base, adapter: trained } : { base: trained };
}

/** Equal slices of the flat arrays, on vector boundaries. */
function slices(length: number, count: number): Range[] {
  const width = Math.ceil(length / count / 16) * 16;
  return Array.from({ length: count }, (_, i) => ({
    from: Math.min(length, i * width),
    to: Math.min(length, (i + 1) * width),
  }));
}
