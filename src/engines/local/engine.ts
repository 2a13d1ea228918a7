/** The local engine: two models, sampled and trained by this process's worker threads. */
import type { Reference, Sampler, Trainer, TrainingEngine } from '../../core/engine.ts';
import type { Player } from '../../core/types.ts';
import { saveModelFolder } from './files/hugging-face.ts';
import type { LoraConfig } from './model/config.ts';
import { modelLayout } from './model/layout.ts';
import { mergeAdapter } from './model/merge.ts';
import type { ModelSource } from './model/source.ts';
import { type LocalModel, openPlayers } from './player.ts';
import { SampleRouter, samplerOf } from './sampler.ts';
import { LocalTrainer, referenceOf } from './trainer.ts';
import { planThreads } from './worker/plan.ts';
import { WorkerPool } from './worker/pool.ts';

export interface LocalEngineOptions {
  /** One source for both players, or one for each. */
  model: ModelSource | Record<Player, ModelSource>;
  /** Decides fresh weights and adapters. */
  seed: number;
  /** Folder that checkpoints go into. */
  checkpoints: string;
  /** Train adapters on a frozen base instead of the whole model. */
  lora?: LoraConfig;
  /** Threads to use; by default those of the machine. */
  threads?: number;
  /** Rows one worker samples at once. */
  maxRows?: number;
  /** Tokens of one training run: less memory when smaller. */
  microBatchTokens?: number;
}

export async function localEngine(options: LocalEngineOptions): Promise<LocalEngine> {
  const { model, seed, lora } = options;
  const sources = 'kind' in model ? { agent: model, environment: model } : model;
  const players = await openPlayers(sources, { seed, lora });
  const parameters = modelLayout(players.agent.spec.config).parameters;
  const plan = planThreads(parameters, options.threads);
  const { workers, threads, maxRows } = plan;
  const pool = new WorkerPool({ workers, threads, maxRows: options.maxRows ?? maxRows });
  try {
    for (const { tokenizerKey, tokenizer } of Object.values(players)) {
      await pool.all('tokenizer', () => ({ key: tokenizerKey, json: tokenizer.json }));
    }
  } catch (error) {
    await pool[Symbol.asyncDispose]();
    throw error;
  }
  return new LocalEngine(players, pool, {
    checkpoints: options.checkpoints,
    maxTokens: options.microBatchTokens ?? plan.maxTokens,
  });
}

export class LocalEngine implements TrainingEngine {
  readonly name = 'local';
  readonly players: Readonly<Record<Player, LocalModel>>;
  readonly #pool: WorkerPool;
  readonly #router: SampleRouter;
  readonly #settings: { checkpoints: string; maxTokens: number };
  readonly #trainers = new Map<Player, LocalTrainer>();

  constructor(
    players: Record<Player, LocalModel>,
    pool: WorkerPool,
    settings: { checkpoints: string; maxTokens: number },
  ) {
    this.players = players;
    this.#pool = pool;
    this.#router = new SampleRouter(pool);
    this.#settings = settings;
  }

  #parts(player: Player): ConstructorParameters<typeof LocalTrainer>[0] {
    return { player, model: this.players[player], pool: this.#pool, router: this.#router, ...this.#settings };
  }

  /** The player as it was before training; its trainer publishes the later ones. */
  async sampler(player: Player): Promise<Sampler> {
    const model = this.players[player];
    return samplerOf(this.#router, model, model.initial, `${player}-initial`);
  }

  /** One trainer a player: asking again gives the same one. */
  async trainer(player: Player): Promise<Trainer> {
    return this.#trainer(player);
  }

  #trainer(player: Player): LocalTrainer {
    let trainer = this.#trainers.get(player);
    if (!trainer) {
      trainer = new LocalTrainer(this.#parts(player));
      this.#trainers.set(player, trainer);
    }
    return trainer;
  }

  async reference(player: Player): Promise<Reference> {
    return referenceOf(this.#parts(player));
  }

  /** Writes a player's current weights as a Hugging Face folder, adapters merged in. */
  async exportModel(player: Player, folder: string): Promise<void> {
    const { spec, tokenizer, chatFiles, initial } = this.players[player];
    const trained = await this.#trainer(player).weights();
    const weights = spec.lora
      ? mergeAdapter(spec.config, spec.lora, { base: new Float32Array(initial.base.buffer), adapter: trained })
      : trained;
    await saveModelFolder(folder, { config: spec.config, weights, tokenizer: tokenizer.json, chatFiles });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }
}
