/**
 * Models that start from nothing learn the language of their world from demonstrations first. What comes out are two
 * ordinary model folders: a run opens them as it would open any other, and measures KL against them.
 */
import { join } from 'node:path';
import type { Demonstration, School } from '../../core/benchmark.ts';
import type { Datum } from '../../core/engine.ts';
import { createRng } from '../../core/rng.ts';
import { normalise } from '../../core/sequences.ts';
import type { Player } from '../../core/types.ts';
import { localEngine } from './engine.ts';
import type { ModelSize } from './model/config.ts';
import type { LocalModel } from './player.ts';
import { learningRate } from './train/schedule.ts';

export interface WarmStartOptions {
  size: Omit<ModelSize, 'vocabulary'>;
  school: School;
  seed: number;
  /** Optimizer steps of each player. */
  steps: Record<Player, number>;
  /** Demonstrations per step. */
  batch: number;
  learningRate: number;
  threads?: number;
}

/** Trains both players and leaves them in `folder`/agent and `folder`/environment. Yields after every step. */
export async function* warmStart(folder: string, options: WarmStartOptions): AsyncGenerator<WarmStartProgress> {
  const { size, school, seed, batch, threads } = options;
  const tokenizer = { corpus: school.corpus(), kind: 'words' as const, vocabulary: 65_536 };
  await using engine = await localEngine({
    model: { kind: 'new', size, tokenizer },
    seed,
    checkpoints: join(folder, 'checkpoints'),
    ...(threads === undefined ? {} : { threads }),
  });
  const rng = createRng(seed).fork('warm start');
  for (const player of ['agent', 'environment'] as const) {
    const trainer = await engine.trainer(player);
    const steps = options.steps[player];
    const schedule = { peak: options.learningRate, warmupSteps: Math.ceil(steps / 20), totalSteps: steps };
    for (let step = 0; step < steps; step++) {
      const shown = school.demonstrations(player, batch, rng.fork(player, step), step / steps);
      const data = normalise(shown.map((demonstration) => datumOf(engine.players[player], demonstration)));
      const { loss } = await trainer.forwardBackward(data, { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: learningRate(schedule, step), maxGradNorm: 1 });
      yield { player, done: step + 1, of: steps, loss };
    }
    await engine.exportModel(player, join(folder, player));
  }
}

export interface WarmStartProgress {
  player: Player;
  /** Steps of this player. */
  done: number;
  of: number;
  /** Mean cross-entropy per token. */
  loss: number;
}

/** The prompt as a sampler would see it, then the reply with its end: weight on the reply only. */
export function datumOf({ chat, tokenizer }: LocalModel, { messages, text }: Demonstration): Datum {
  const prompt = chat.prompt(messages, []);
  const reply = [...tokenizer.encode(text), chat.end];
  const tokens = Int32Array.of(...prompt, ...reply);
  return { tokens, weights: new Float32Array(tokens.length).fill(1, prompt.length) };
}
