/** What each update is fed: batches read from the journal as they are needed, never the whole set at once. */
import type { CurriculumSettings } from './curriculum.ts';
import { briefOf, type DrawSettings, type SeedDraw } from './draw.ts';
import type { EnvUpdate } from './env-update.ts';
import type { Journal } from './journal.ts';
import type { EnvironmentPlayer } from './players.ts';
import { isFresh } from './pools.ts';
import { type Rng, shuffled } from './rng.ts';
import type { WeightedRecord } from './rwr.ts';
import type { Experience, Message, Score } from './types.ts';
import { weightedSample } from './weighted-sample.ts';

export interface AgentBatching {
  /** Groups per optimizer step. */
  size: number;
  passes: number;
  /** Traces up to this many epochs old may be used again, as `reuseShare` of the fresh ones; their ratio is clipped. */
  maxStaleness: number;
  reuseShare: number;
}

/** Groups with a gradient, shuffled: this epoch's, and a share of recent ones whose stored log-probs still make a ratio. */
export function* groupBatches(journal: Journal, epoch: number, how: AgentBatching, rng: Rng): Iterable<Experience[][]> {
  const varied = (e: number) =>
    [...journal.outcomes(e)].filter((o) => o.varied).map(({ taskId }) => ({ epoch: e, taskId }));
  const fresh = varied(epoch);
  const stale: { epoch: number; taskId: string }[] = [];
  for (let e = epoch - 1; e > 0 && isFresh(e, epoch, how.maxStaleness); e--) stale.push(...varied(e));
  const reused = weightedSample(stale, Math.round(fresh.length * how.reuseShare), () => 1, rng.fork('reuse'));
  for (let pass = 0; pass < how.passes; pass++) {
    for (const batch of evenBatches(shuffled([...fresh, ...reused], rng.fork('pass', pass)), how.size)) {
      yield batch.map(({ epoch: e, taskId }) => journal.experience(e, taskId) ?? []);
    }
  }
}

interface RecordSource {
  journal: Journal;
  environment: EnvironmentPlayer;
  envUpdate: EnvUpdate;
  curriculum: CurriculumSettings;
  draw: DrawSettings;
  envBatches: { size: number; passes: number; probes: number };
}

/** The weighted set D̃_env of this epoch, and a few of its contexts to measure the KL on. */
export function recordBatches(
  game: RecordSource,
  epoch: number,
  seeds: () => SeedDraw[],
  rng: Rng,
): { batches: () => AsyncIterable<WeightedRecord[]>; probes: Message[][] } {
  const { journal, envUpdate, envBatches: how } = game;
  const weighted = [...journal.scores(epoch)].filter((score) => score.weight !== 0);
  const relabel = envUpdate.relabels ? relabeller(game, epoch, seeds()) : undefined;
  async function* batches(): AsyncIterable<WeightedRecord[]> {
    for (let pass = 0; pass < how.passes; pass++) {
      for (const batch of evenBatches(shuffled(weighted, rng.fork('pass', pass)), how.size)) {
        yield await Promise.all(batch.map((score) => toRecord(journal, score, relabel)));
      }
    }
  }
  const probed = weightedSample(journal.generationHeads(epoch), how.probes, () => 1, rng.fork('probes'));
  return { batches, probes: probed.map(({ id }) => journal.generation(id)!.context) };
}

type Relabel = (score: Score) => Promise<Int32Array>;

async function toRecord(journal: Journal, score: Score, relabel: Relabel | undefined): Promise<WeightedRecord> {
  const turn = journal.turn(score.generationId)!;
  if (!relabel) return { turn, weight: score.weight };
  return { turn: { ...turn, prompt: await relabel(score) }, weight: score.weight };
}

/** Hindsight: the same brief, asking for what the task turned out to be. */
function relabeller({ journal, draw, environment }: RecordSource, epoch: number, seeds: SeedDraw[]): Relabel {
  const bySlot = new Map(seeds.map((seed) => [seed.slot, seed]));
  return ({ generationId, successRate }) => {
    const brief = briefOf(journal, draw, bySlot.get(slotOf(generationId))!, epoch);
    return environment.encode(environment.context({ ...brief, target: { ...brief.target, alpha: successRate } }));
  };
}

/** Generation ids are `<epoch>.<slot>.<variation>`. */
const slotOf = (generationId: string) => Number(generationId.split('.')[1]);

/** As many batches as the size asks for, all about equally full: a last batch of one would be a step of pure noise. */
export function evenBatches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.max(1, Math.round(items.length / size));
  if (items.length === 0) return [];
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count)),
  );
}
