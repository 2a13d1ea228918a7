/** Small games to test the loop on, put together from real parts. Nothing here is part of the package. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toyBenchmark } from '../benchmarks/toy/index.ts';
import { TOY_SCRIPTS } from '../benchmarks/toy/scripts.ts';
import { scriptedEngine } from '../engines/scripted/index.ts';
import { agentPolicy } from '../policies/agent.ts';
import { environmentPolicy } from '../policies/environment.ts';
import { writer } from '../policies/write-tasks.ts';
import { createRun, digest, openJournal, openReader, type RunReader } from '../store/index.ts';
import type { Benchmark } from './benchmark.ts';
import { coevolve, type Game } from './coevolve.ts';
import type { Sampler } from './engine.ts';
import { ENV_UPDATES } from './env-update.ts';
import type { RunEvent } from './events.ts';
import type { Journal } from './journal.ts';
import { createRng } from './rng.ts';
import type { Script } from './script.ts';
import type { Player, Task } from './types.ts';
import { VARIANTS, type VariantName } from './variants.ts';

export interface Setting {
  variant?: VariantName;
  concurrency?: number;
  /** Stands in for what the environment writes, or for what the agent answers. */
  writes?: Sampler;
  answers?: Sampler;
  update?: keyof typeof ENV_UPDATES;
  base?: Task[];
  /** Another world than the toy's, with players who know it. */
  world?: { benchmark: Benchmark; scripts: Record<Player, Script> };
  learningRate?: Record<Player, number>;
  game?: Partial<Game>;
}

/** A small game in a run folder, put together from real parts as a new process would. */
export async function open(folder: string, journal: Journal, setting: Setting = {}): Promise<Game> {
  const { variant = 'genenv', concurrency = 4, writes, answers, update = 'rwr', base } = setting;
  const { learningRate = { agent: 0.05, environment: 0.5 } } = setting;
  const { benchmark, scripts } = setting.world ?? {
    benchmark: toyBenchmark({ baseTasks: 4, validationTasks: 3, testTasks: 2 }),
    scripts: TOY_SCRIPTS,
  };
  const engine = scriptedEngine({ scripts, checkpoints: join(folder, 'checkpoints') });
  const signal = new AbortController().signal;
  const agentTrainer = await engine.trainer('agent');
  const agent = await agentPolicy({
    trainer: answers ? { ...agentTrainer, publish: async () => answers } : agentTrainer,
    reference: await engine.reference('agent'),
    benchmark,
    limits: { maxTokens: 100, maxTurns: 1, tokenBudget: 100, successThreshold: 'auto' },
    concurrency,
    optimizer: { learningRate: learningRate.agent },
    advantage: 'grpo',
    clipLow: 0.2,
    clipHigh: 0.2,
    klCoef: 0.001,
  });
  const trainer = await engine.trainer('environment');
  const reference = await engine.reference('environment');
  const writing = {
    benchmark,
    concurrency,
    temperature: 1,
    maxTokens: 100,
    reference: writes ? { ...reference, ...writes } : reference,
  };
  const environment = await environmentPolicy({
    ...writing,
    trainer: writes ? { ...trainer, publish: async () => writes } : trainer,
    optimizer: { learningRate: learningRate.environment },
    loss: { kind: 'crossEntropy', klCoef: 0.02 },
    maxKl: 2,
  });
  return {
    run: 'test',
    epochs: 2,
    rng: createRng(7),
    journal,
    agent,
    environment,
    teacher: writer(writing, () => engine.teacher()),
    base: async () => base ?? (await benchmark.base()),
    validation: () => benchmark.validation(),
    test: () => benchmark.test!(),
    envUpdate: ENV_UPDATES[update],
    curriculum: {
      alpha: 0.5,
      kMin: 0.1,
      beta: 4,
      lambda: 1,
      reward: 'bandMass',
      filter: 'soft',
      minKept: 0.25,
      quota: 1,
      successScope: 'task',
      shrinkage: 2,
    },
    draw: {
      variant: VARIANTS[variant],
      variations: 2,
      seedsPerEpoch: 6,
      baseShare: 0.2,
      replayShare: 0.1,
      evolveSeeds: true,
      historyEpochs: 3,
      target: { alpha: 0.5, kMin: 0.1 },
      fixedSetSize: (n) => Math.round(n * (variant === 'teacher-offline' ? 1.76 : 5)),
    },
    rollouts: { count: 4, temperature: 1 },
    generation: { explorationShare: 0.3 },
    agentBatches: { size: 4, passes: 1, maxStaleness: 1, reuseShare: 0.5 },
    envBatches: { size: 4, passes: 1, probes: 3 },
    evaluation: { every: 1, tasks: 'all', count: 2, temperature: 1, test: true },
    stepSize: 4,
    stop: signal,
    signal,
    ...setting.game,
  };
}

export function newRun(): string {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-coevolve-'));
  createRun(folder, {});
  return folder;
}

/** Plays a run until it ends or is stopped; `wrap` may get between the loop and its journal. */
export async function play(
  folder: string,
  setting: Setting = {},
  wrap = (journal: Journal): Journal => journal,
): Promise<RunEvent[]> {
  using journal = openJournal(folder, { now: () => 0 });
  const events: RunEvent[] = [];
  for await (const event of coevolve(await open(folder, wrap(journal), setting))) events.push(event);
  return events;
}

export interface Played extends Disposable {
  folder: string;
  events: RunEvent[];
  run: RunReader;
}

export async function whole(setting: Setting = {}): Promise<Played> {
  const folder = newRun();
  const events = await play(folder, setting);
  const run = openReader(folder);
  return { folder, events, run, [Symbol.dispose]: () => run[Symbol.dispose]() };
}

export const digestOf = async (setting: Setting): Promise<string> => {
  using played = await whole(setting);
  return digest(played.folder);
};

export class Killed extends Error {}

/** Dies at the n-th commit: before it or right after it. */
export const dyingAt =
  (n: number, when: 'before' | 'after') =>
  (journal: Journal): Journal => {
    let commits = 0;
    return {
      ...journal,
      commit(at, writes) {
        commits++;
        if (commits === n && when === 'before') throw new Killed();
        journal.commit(at, writes);
        if (commits === n) throw new Killed();
      },
    };
  };
