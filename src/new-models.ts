/**
 * Models from nothing, warmed up by demonstrations. They are made once per configuration and kept in the user's cache; a
 * run keeps its own copy, so that it can be resumed wherever it is taken.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cacheFolder } from './cache-folder.ts';
import type { Config, LocalEngineConfig } from './config.ts';
import type { School } from './core/benchmark.ts';
import { canonicalJson } from './core/content-id.ts';
import type { RunEvent } from './core/events.ts';
import { hashText, hex } from './core/hash.ts';
import { createRng } from './core/rng.ts';
import type { Player } from './core/types.ts';
import type { ModelSource } from './engines/local/index.ts';
import type { Opening } from './open-engine.ts';
import { lockRun, StoreError } from './store/index.ts';
import { VERSION } from './version.ts';

export const folderOf = (path: string, context: number): ModelSource => ({ kind: 'folder', path, context });

export async function* newModels(
  opening: Opening,
  engine: LocalEngineConfig,
): AsyncGenerator<RunEvent, Record<Player, ModelSource>> {
  const { config, folder, benchmark } = opening;
  const models = join(folder, 'models');
  const sourceOf = (player: Player) => folderOf(join(models, player), engine.context);
  const sources = { agent: sourceOf('agent'), environment: sourceOf('environment') };
  if (existsSync(models)) return sources;
  const { school } = benchmark;
  if (!school) {
    throw new TypeError(
      `The ${benchmark.name} benchmark teaches no beginners. Set engine.model to a model folder that knows its language.`,
    );
  }
  const cached = join(cacheFolder(), 'models', modelKey(config, engine, school));
  yield* onlyOnce(cached, opening, () => makeModels(cached, opening, engine, school));
  await cp(cached, `${models}.part`, { recursive: true });
  renameSync(`${models}.part`, models);
  return sources;
}

/** Runs of a comparison start side by side with the same seed: one of them makes the models, the others wait for it. */
async function* onlyOnce(
  target: string,
  { signal, stop }: Pick<Opening, 'signal' | 'stop'>,
  make: () => AsyncGenerator<RunEvent>,
): AsyncGenerator<RunEvent> {
  await mkdir(dirname(target), { recursive: true });
  const lockName = `${basename(target)}.lock`;
  while (!existsSync(target)) {
    signal.throwIfAborted();
    stop?.throwIfAborted();
    const lock = tryLock(dirname(target), lockName);
    if (!lock) {
      await setTimeout(POLL_MS);
      continue;
    }
    try {
      if (!existsSync(target)) yield* make();
    } finally {
      lock[Symbol.dispose]();
      rmSync(`${target}.lock`, { force: true });
    }
  }
}

const POLL_MS = 500;

/** Undefined while another process holds it; a process that died holds nothing. */
function tryLock(folder: string, name: string): Disposable | undefined {
  try {
    return lockRun(folder, name);
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'locked') return undefined;
    throw error;
  }
}

async function* makeModels(
  target: string,
  opening: Opening,
  engine: LocalEngineConfig,
  school: School,
): AsyncGenerator<RunEvent> {
  const { warmStart } = await import('./engines/local/warm-start.ts');
  const { width, layers, heads, context, threads } = engine;
  const steps = stepsOf(engine, school);
  const part = `${target}.part`;
  const place = (learning: Player, done: number) => ({
    epoch: 0,
    phase: 'prepare' as const,
    learning,
    done,
    units: steps[learning],
  });
  // What one that was killed has left.
  rmSync(part, { recursive: true, force: true });
  await mkdir(part);
  try {
    yield { type: 'phase', ...place('agent', 0) };
    const options = {
      size: { width, layers, heads, context },
      school,
      seed: opening.config.seed,
      steps,
      batch: WARM_BATCH,
      learningRate: WARM_LEARNING_RATE,
      ...(threads === 'auto' ? {} : { threads }),
    };
    for await (const { player, done } of warmStart(part, options)) {
      opening.signal.throwIfAborted();
      opening.stop?.throwIfAborted();
      yield { type: 'progress', ...place(player, done), ledger: opening.journal.ledger() };
    }
    renameSync(part, target);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

const WARM_BATCH = 64;
const WARM_LEARNING_RATE = 4e-3;

const stepsOf = ({ warmSteps }: LocalEngineConfig, school: School): Record<Player, number> =>
  warmSteps === 'auto' ? school.steps : { agent: warmSteps, environment: warmSteps };

/** Everything the models depend on, with a sample of what they are shown. */
function modelKey({ seed }: Config, engine: LocalEngineConfig, school: School): string {
  const { width, layers, heads, context, threads } = engine;
  const players: Player[] = ['agent', 'environment'];
  const shown = players.flatMap((player) =>
    [0, 0.5, 0.99].map((progress) => school.demonstrations(player, 32, createRng('sample'), progress)),
  );
  const recipe = {
    VERSION,
    seed,
    width,
    layers,
    heads,
    context,
    steps: stepsOf(engine, school),
    threads,
    corpus: [...school.corpus()],
    shown,
  };
  return hex(hashText(canonicalJson(recipe)));
}
