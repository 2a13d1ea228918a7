/** A model as the engine holds it: what it was at the start, and how to talk to it. Players are two of them. */
import type { Player } from '../../core/types.ts';
import type { Chat } from '../../tokens/chat.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { checkLora, type LoraConfig } from './model/config.ts';
import { initialiseLora } from './model/initialise.ts';
import { type Layout, loraLayout, modelLayout } from './model/layout.ts';
import { type ModelSource, openModel, type SourcedModel } from './model/source.ts';
import { mixSeed } from './random.ts';
import { chatOf } from './tokenizer/chat.ts';
import type { ModelSpec, SharedArray } from './worker/protocol.ts';

export interface LocalModel {
  /** Tells its arrays from those of other models. */
  name: string;
  /** Under which the workers know its tokenizer. */
  tokenizerKey: string;
  spec: ModelSpec;
  tokenizer: Tokenizer;
  chat: Chat;
  /** What the folder it came from says about talking to it. */
  chatFiles: Readonly<Record<string, string>>;
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

interface ModelParts {
  name: string;
  tokenizerKey: string;
  model: SourcedModel;
  base: SharedArray;
  /** Trained instead of the base, where there is one. */
  adapter?: { lora: LoraConfig; seed: number } | undefined;
}

/** A model on a base that others may share. */
export function localModel({ name, tokenizerKey, model, base, adapter }: ModelParts): LocalModel {
  const { config, tokenizer } = model;
  const lora = adapter?.lora;
  return {
    name,
    tokenizerKey,
    spec: { config, lora },
    tokenizer,
    chat: model.chat ?? chatOf(tokenizer),
    chatFiles: model.chatFiles,
    initial: { base, adapter: adapter && share(`${name}/adapter`, initialiseLora(config, adapter.lora, adapter.seed)) },
    trainable: lora ? loraLayout(config, lora) : modelLayout(config),
  };
}

/** Opens both players. Where they adapt one and the same base, it is read and held once. */
export async function openPlayers(
  sources: Record<Player, ModelSource>,
  options: { seed: number; lora?: LoraConfig | undefined },
): Promise<Record<Player, LocalModel>> {
  const lora = options.lora && checkLora(options.lora);
  const oneBase = sources.agent === sources.environment && (lora !== undefined || sources.agent.kind === 'folder');
  const seedOf = (player: Player) => (oneBase ? options.seed : mixSeed(options.seed, player));
  const agentModel = await openModel(sources.agent, seedOf('agent'));
  const environmentModel = oneBase ? agentModel : await openModel(sources.environment, seedOf('environment'));
  const agentBase = share('agent/base', agentModel.weights);
  const environmentBase = oneBase ? agentBase : share('environment/base', environmentModel.weights);

  const player = (name: Player, model: SourcedModel, base: SharedArray) =>
    localModel({
      name,
      tokenizerKey: name,
      model,
      base,
      adapter: lora && { lora, seed: adapterSeed(options.seed, name) },
    });
  return {
    agent: player('agent', agentModel, agentBase),
    environment: player('environment', environmentModel, environmentBase),
  };
}
