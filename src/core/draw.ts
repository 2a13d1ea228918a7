/** Which seeds the environment varies in an epoch, and which tasks the agent attempts: the sampling rules of both pools. */
import type { Journal, TaskHead } from './journal.ts';
import type { Brief } from './players.ts';
import { mixture, replayWeight, seedAim, seedWeight } from './pools.ts';
import type { Rng } from './rng.ts';
import type { Role } from './types.ts';
import type { Variant } from './variants.ts';
import { weightedSample } from './weighted-sample.ts';

export interface DrawSettings {
  variant: Variant;
  variations: number;
  seedsPerEpoch: number | 'all';
  baseShare: number;
  replayShare: number;
  evolveSeeds: boolean;
  historyEpochs: number;
  target: Brief['target'];
  /** How many tasks the fixed set of this variant holds, given the size of the base set. */
  fixedSetSize(baseTasks: number): number;
}

/** With evolving seeds most of them are tasks from the agent's pool, so difficulty can climb past one edit of the base. */
const EVOLVED_SHARE = 0.85;

/** The seeds of an epoch, as requests to the environment. Only ids and counts are held: tasks are read when written. */
export function drawSeeds(journal: Journal, settings: DrawSettings, epoch: number, rng: Rng): SeedDraw[] {
  if (settings.variant.tasks !== 'fresh') return [];
  const { seeds, variations } = epochSize(journal, settings);
  const wanted = Math.max(1, Math.round(mixture(seeds * variations, settings).fresh / variations));
  const aim = seedAim(settings.target.alpha, lateSuccess(journal, epoch));
  const evolved =
    settings.evolveSeeds && settings.variant.adapts
      ? weightedSample(
          journal.pool('agent'),
          Math.floor(wanted * EVOLVED_SHARE),
          (entry) => seedWeight(entry, epoch, aim),
          rng.fork('evolved'),
        )
      : [];
  const base = weightedSample(journal.heads(['base'], epoch), wanted - evolved.length, () => 1, rng.fork('base'));
  return [...base.map((head) => head.id), ...evolved.map((entry) => entry.memberId)].map((seedId, slot) => ({
    slot,
    seedId,
    count: variations,
  }));
}

/** Over two epochs: the answer to one alone overshoots, the answer to that overshoots back, and every chance is amplified. */
function lateSuccess(journal: Journal, epoch: number): number | undefined {
  const rates = [epoch - 1, epoch - 2].flatMap((e) => journal.metric('env/successRate', e) ?? []);
  return rates.length === 0 ? undefined : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

export interface SeedDraw {
  slot: number;
  seedId: string;
  count: number;
}

/** The fixed set, written once before training: every base task varied as often as its size asks, remainders spread. */
export function drawFixedSet(journal: Journal, settings: DrawSettings): SeedDraw[] {
  if (settings.variant.tasks !== 'fixed') return [];
  const base = [...journal.heads(['base'], 1)];
  const size = settings.fixedSetSize(base.length);
  return base
    .map((head, slot) => ({
      slot,
      seedId: head.id,
      count: Math.floor(((slot + 1) * size) / base.length) - Math.floor((slot * size) / base.length),
    }))
    .filter((draw) => draw.count > 0);
}

export interface AttemptDraw {
  taskId: string;
  role: Role;
}

/** Everything the agent attempts in an epoch, each task once: new tasks, then base data, then replay. */
export function drawAttempts(journal: Journal, settings: DrawSettings, epoch: number, rng: Rng): AttemptDraw[] {
  const { seeds, variations } = epochSize(journal, settings);
  const total = seeds * variations;
  const counts = mixture(total, settings);
  const attempts = new Map<string, Role>();
  const add = (ids: Iterable<string>, role: Role) => {
    for (const id of ids) if (!attempts.has(id)) attempts.set(id, role);
  };
  switch (settings.variant.tasks) {
    case 'fresh':
      add(ids(journal.written(epoch)), 'fresh');
      add(ids(weightedSample(journal.heads(['base'], epoch), counts.base, () => 1, rng.fork('base'))), 'base');
      add(drawReplay(journal, settings.replayShare > 0 ? total - attempts.size : 0, epoch, rng), 'replay');
      break;
    case 'fixed': {
      const set = weightedSample(fixedAndBase(journal), total, () => 1, rng.fork('fixed'));
      for (const head of set) attempts.set(head.id, head.origin === 'base' ? 'base' : 'fixed');
      break;
    }
    case 'none':
      add(ids(weightedSample(journal.heads(['base'], epoch), total, () => 1, rng.fork('base'))), 'base');
      break;
    default:
      settings.variant.tasks satisfies never;
  }
  return [...attempts].map(([taskId, role]) => ({ taskId, role }));
}

/** What the simulator failed to write is made up for, so that all variants make the same number of attempts. */
const drawReplay = (journal: Journal, count: number, epoch: number, rng: Rng): string[] =>
  weightedSample(journal.pool('agent'), count, (entry) => replayWeight(entry, epoch), rng.fork('replay')).map(
    (entry) => entry.memberId,
  );

/** What the environment is told about a seed. */
export function briefOf(journal: Journal, settings: DrawSettings, draw: SeedDraw, epoch: number): Brief {
  const seed = journal.task(draw.seedId);
  if (!seed) throw new Error(`The run's store has no task ${draw.seedId}, but its pool names it: the file is damaged.`);
  return {
    slot: draw.slot,
    seed,
    count: draw.count,
    lineage: journal.lineage(seed.rootId, epoch - settings.historyEpochs, epoch),
    overall: journal.metric('env/successRate', epoch - 1),
    target: settings.target,
  };
}

function epochSize(journal: Journal, settings: DrawSettings): { seeds: number; variations: number } {
  const { seedsPerEpoch, variations } = settings;
  if (seedsPerEpoch !== 'all') return { seeds: seedsPerEpoch, variations };
  let seeds = 0;
  for (const _ of journal.heads(['base'], 1)) seeds++;
  return { seeds, variations };
}

function* fixedAndBase(journal: Journal): Iterable<TaskHead> {
  yield* journal.heads(['base'], 1);
  yield* journal.written(0);
}

function* ids(heads: Iterable<TaskHead>): Iterable<string> {
  for (const head of heads) yield head.id;
}
