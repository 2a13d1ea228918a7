/** One player's model as the engine holds it: what it was at the start, and how to talk to it. */
import type { Player } from '../../core/types.ts';
import { checkLora, type LoraConfig } from './model/config.ts';
import { initialiseLora } from './model/initialise.ts';
import { type Layout, loraLayout, modelLayout } from './model/layout.ts';
import { type ModelSource, openModel, type SourcedModel } from './model/source.ts';
import { mixSeed } from './random.ts';
import { type Chat, chatOf } from './tokenizer/chat.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';
import type { ModelSpec, SharedArray } from './worker/protocol.ts';

export interface PlayerModel {
  player: Player;
  spec: ModelSpec;
  tokenizer: Tokenizer;
  chat: Chat;
  /** The weights before any training; never written to. */
  initial: { base: SharedArray; adapter?: SharedArray | undefined };
  /** Of what is trained: the whole model, or its adapter. */
  trainable: Layout;
}

export function share(key: string, array: Float32Array): SharedArray {
  const buffer = new SharedArrayBuffer(array.byteLength);
  new Float32Array(buffer).set(array);
  return { key, version: 0, buffer };
}

/** What decides a player's first adapter, here and on a server that is asked to make the same one. */
export const adapterSeed = (seed: number, player: Player): number => mixSeed(seed, player, 'lora');

/** Opens both players. Where they adapt one and the same base, it is read and held once. */
export async function openPlayers(
  sources: Record<Player, ModelSource>,
  options: { seed: number; lora?: LoraConfig | undefined },
): Promise<Record<Player, PlayerModel>> {
  const lora = options.lora && checkLora(options.lora);
  const oneBase = sources.agent === sources.environment && (lora !== undefined || sources.agent.kind === 'folder');
  const seedOf = (player: Player) => (oneBase ? options.seed : mixSeed(options.seed, player));
  const agentModel = await openModel(sources.agent, seedOf('agent'));
  const environmentModel = oneBase ? agentModel : await openModel(sources.environment, seedOf('environment'));
  const agentBase = share('agent/base', agentModel.weights);
  const environmentBase = oneBase ? agentBase : share('environment/base', environmentModel.weights);

  const player = (name: Player, model: SourcedModel, base: SharedArray): PlayerModel => {
    const { config, tokenizer } = model;
    const adapter = lora && share(`${name}/adapter`, initialiseLora(config, lora, adapterSeed(options.seed, name)));
    return {
      player: name,
      spec: { config, lora },
      tokenizer,
      chat: chatOf(tokenizer),
      initial: { base, adapter },
      trainable: lora ? loraLayout(config, lora) : modelLayout(config),
    };
  };
  return {
    agent: player('agent', agentModel, agentBase),
    environment: player('environment', environmentModel, environmentBase),
  };
}
