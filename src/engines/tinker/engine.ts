/** The Tinker engine: both players as adapters on a server's base model, and a third that is never trained. */
import { EngineStopped, type Reference, type Sampler, type Trainer, type TrainingEngine } from '../../core/engine.ts';
import type { Player } from '../../core/types.ts';
import { Adapter, type AdapterParts } from './adapter.ts';
import { probe } from './probe.ts';
import { type Profile, refusalOf } from './profile.ts';
import type { SamplerParts } from './sampler.ts';
import { openServer, type Server } from './server.ts';
import { openSession, type Session } from './session.ts';
import type { ServerOptions, TinkerOptions } from './settings.ts';
import { referenceOf, trainerOf } from './trainer.ts';

export interface TinkerEngine extends TrainingEngine {
  /** What the probe found, by base model. */
  readonly profiles: Readonly<Record<Player, Profile>>;
}

export async function tinkerEngine(options: TinkerOptions, wanted = { weightDecay: 0 }): Promise<TinkerEngine> {
  const { players, loraRank, losses, run } = options;
  const server = openServer(options);
  const session = openSession(server, run === undefined ? {} : { run });
  const dispose = async () => {
    session[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  };
  try {
    const profiles = await probeAll({ server, session }, options, wanted);
    const adapter = (label: string, player: Player, more: Partial<AdapterParts> = {}) => {
      const { base, seed } = players[player];
      return new Adapter({
        server,
        session,
        base,
        rank: loraRank,
        seed,
        dedupes: profiles[player].dedupes,
        label,
        ...more,
      });
    };
    const parts = (player: Player, of: Adapter): SamplerParts & { player: Player; profile: Profile } => ({
      server,
      adapter: of,
      chat: players[player].chat,
      profile: profiles[player],
      player,
    });
    const adapters: Adapter[] = [];
    const kept = (made: Adapter) => {
      adapters.push(made);
      return made;
    };
    const trainers = new Map<Player, Trainer>();
    const frozen = new Map<string, Adapter>();
    const references = new Map<Player, Reference>();
    const reference = (player: Player): Reference => {
      const { base } = players[player];
      if (!frozen.has(base)) frozen.set(base, kept(adapter('reference', player)));
      let made = references.get(player);
      if (!made) {
        made = referenceOf(parts(player, frozen.get(base)!));
        references.set(player, made);
      }
      return made;
    };
    return {
      name: 'tinker',
      profiles,
      async sampler(player): Promise<Sampler> {
        return reference(player);
      },
      async trainer(player) {
        let made = trainers.get(player);
        if (!made) {
          made = trainerOf({ ...parts(player, kept(adapter(player, player))), losses });
          trainers.set(player, made);
        }
        return made;
      },
      reference: async (player) => reference(player),
      async [Symbol.asyncDispose]() {
        await Promise.all(adapters.map((each) => each.dispose()));
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Each base once: they may differ in what they are, and share a server in what it does. */
async function probeAll(
  parts: { server: Server; session: Session },
  { players, loraRank }: TinkerOptions,
  wanted: { weightDecay: number },
): Promise<Record<Player, Profile>> {
  const found = new Map<string, Profile>();
  for (const { base } of Object.values(players)) {
    if (found.has(base)) continue;
    const profile = await probe(parts, { model: base, rank: loraRank });
    const refusal = refusalOf(profile, wanted);
    if (refusal) throw new EngineStopped(`The server ${profile.url} with ${base}: ${refusal}.`);
    found.set(base, profile);
  }
  return { agent: found.get(players.agent.base)!, environment: found.get(players.environment.base)! };
}

/** Probes a server without an engine around it. */
export async function probeServer(
  options: ServerOptions,
  { model, rank = 8 }: { model?: string | undefined; rank?: number } = {},
): Promise<Profile> {
  await using server = openServer(options);
  using session = openSession(server);
  return await probe({ server, session }, { model, rank });
}
