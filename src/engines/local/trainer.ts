/** A player that learns: a learner that speaks in messages, publishes samplers and keeps checkpoints. */
import { join } from 'node:path';
import type { Datum, ForwardBackward, Loss, OptimStep, Reference, Sampler, Trainer } from '../../core/engine.ts';
import type { Checkpoint, Message, Player, ToolSpec } from '../../core/types.ts';
import { type CheckpointPlace, discardCheckpoint, loadCheckpoint, saveCheckpoint } from './files/checkpoint.ts';
import { Learner, weightsOf } from './learner.ts';
import { type SampleRouter, samplerOf } from './sampler.ts';
import { type LearnerParts, scoreData } from './scored-batches.ts';
import type { HeldArray } from './worker/protocol.ts';

/** Published versions of a player that can be sampled from at any time. */
const KEPT_VERSIONS = 4;

export interface TrainerParts extends LearnerParts {
  player: Player;
  router: SampleRouter;
  /** Folder of the run's checkpoints. */
  checkpoints: string;
}

export class LocalTrainer implements Trainer {
  readonly player: Player;
  readonly #parts: TrainerParts;
  readonly #place: CheckpointPlace;
  readonly #learner: Learner;
  readonly #published: HeldArray[] = [];

  constructor(parts: TrainerParts) {
    const { model, player, checkpoints } = parts;
    this.player = player;
    this.#parts = parts;
    this.#place = { folder: join(checkpoints, player), model: model.spec, layout: model.trainable };
    this.#learner = new Learner(parts);
  }

  async encode(messages: readonly Message[], tools: readonly ToolSpec[]): Promise<Int32Array> {
    return this.#parts.model.chat.prompt(messages, tools);
  }

  forward(data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#learner.forward(data, signal);
  }

  forwardBackward(data: readonly Datum[], loss: Loss, signal?: AbortSignal): Promise<ForwardBackward> {
    return this.#learner.forwardBackward(data, loss, signal);
  }

  optimStep(options: OptimStep): Promise<{ gradNorm: number }> {
    return this.#learner.optimStep(options);
  }

  /** The latest few versions are kept; to sample from an older one is an error. */
  async publish(version: string): Promise<Sampler> {
    const { model, router, pool } = this.#parts;
    // The oldest first: the new version takes its memory.
    while (this.#published.length >= KEPT_VERSIONS) {
      const oldest = this.#published.shift()!;
      await pool.all('drop', () => oldest);
    }
    const frozen = await this.#learner.freeze();
    this.#published.push(frozen);
    return samplerOf(router, model, weightsOf(model, frozen), version);
  }

  async save(name: string): Promise<Checkpoint> {
    const sha256 = await this.#learner.withState((state) => saveCheckpoint(this.#place, name, state));
    return { player: this.player, ref: name, sha256 };
  }

  load({ ref, sha256 }: Checkpoint): Promise<void> {
    return this.#learner.restore(() => loadCheckpoint(this.#place, ref, sha256));
  }

  async discard({ ref }: Checkpoint): Promise<void> {
    await this.#learner.idle();
    await discardCheckpoint(this.#place, ref);
  }

  /** The current weights, in the order and under the names of the model: for export. */
  weights(): Promise<Float32Array> {
    return this.#learner.withState(async ({ weights }) => Float32Array.from(weights));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#learner.idle();
  }
}

/** The player as it was before training. */
export function referenceOf(parts: TrainerParts): Reference {
  const { model, router } = parts;
  return {
    ...samplerOf(router, model, model.initial, `${model.name}-initial`),
    logprobs: (data, signal) => scoreData(parts, model.initial, data, signal),
  };
}
