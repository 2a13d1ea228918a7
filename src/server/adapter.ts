/** What of a model an adapter is on: the protocol's three switches, each on where it is not mentioned, and the engine's parts. */
import type { LoraConfig } from '../wire/messages.ts';
import type { AdapterOptions, AdapterPart } from './host.ts';
import { Refusal } from './refusal.ts';

const SWITCHES = { train_attn: 'attention', train_mlp: 'mlp', train_unembed: 'head' } as const;
type Switch = keyof typeof SWITCHES;

/** The parts of the engine's own adapters: what it means where none are named. */
const PROJECTIONS: readonly AdapterPart[] = ['attention', 'mlp'];

export function adapterOf(config: LoraConfig): AdapterOptions {
  const on = (Object.keys(SWITCHES) as Switch[]).filter((name) => config[name] !== false).map((name) => SWITCHES[name]);
  if (on.length === 0)
    throw new Refusal(
      400,
      'lora_config: train_attn, train_mlp and train_unembed are all false: nothing is left to train.',
    );
  const { rank, seed } = config;
  return { rank, seed: seed ?? undefined, ...(sameParts(on, PROJECTIONS) ? {} : { on }) };
}

/** The switches of an adapter, for clients that make another one like it. */
export function switchesOf({ on = PROJECTIONS }: Pick<AdapterOptions, 'on'>): Record<Switch, boolean> {
  return {
    train_attn: on.includes('attention'),
    train_mlp: on.includes('mlp'),
    train_unembed: on.includes('head'),
  };
}

export const sameParts = (a: readonly AdapterPart[] = PROJECTIONS, b: readonly AdapterPart[] = PROJECTIONS): boolean =>
  a.length === b.length && a.every((part) => b.includes(part));

export const describeAdapter = (base: string, adapter: AdapterOptions | null): string =>
  adapter === null
    ? `the whole of ${base}`
    : `an adapter of rank ${adapter.rank} on the ${(adapter.on ?? PROJECTIONS).join(', ')} of ${base}`;
