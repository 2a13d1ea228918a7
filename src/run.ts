/** The composition root: the only place where a configuration becomes players, a journal and a loop. */
import { execFileSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errandsBenchmark } from './benchmarks/errands/index.ts';
import { fileBenchmark } from './benchmarks/file/index.ts';
import { lettersBenchmark } from './benchmarks/letters/index.ts';
import { toyBenchmark } from './benchmarks/toy/index.ts';
import { type Config, type ConfigInput, configToYaml, loadConfig } from './config.ts';
import type { Benchmark, School } from './core/benchmark.ts';
import { coevolve, type Game } from './core/coevolve.ts';
import type { Loss, OptimStep, Sampler, TrainingEngine } from './core/engine.ts';
import { ENV_UPDATES } from './core/env-update.ts';
import type { RunEvent } from './core/events.ts';
import { createRng } from './core/rng.ts';
import type { Json, Player } from './core/types.ts';
import { VARIANTS } from './core/variants.ts';
import { ENGINE_DEFAULTS, openEngine, openServer, type TrainableConfig, trainable } from './open-engine.ts';
import { agentPolicy } from './policies/agent.ts';
import { environmentPolicy } from './policies/environment.ts';
import { readDraft } from './policies/task-schema.ts';
import { writer } from './policies/write-tasks.ts';
import { runNotes } from './run-notes.ts';
import { createRun, openJournal, openReader, type RunJournal, StoreError } from './store/index.ts';
import { billOf, type ServerBill, type Summary, summarise, sumOfBills } from './summary.ts';
import { VERSION } from './version.ts';

export type { RunEvent } from './core/events.ts';
export type { Summary } from './summary.ts';

export interface Signals {
  /** Finish the step, commit, end. */
  stop: AbortSignal;
  /** Abandon the step now; what is committed stays. */
  signal: AbortSignal;
}

export type TrainEvent = RunEvent | Summary;

/** Makes the folder of a new run: its resolved configuration and an empty journal. */
export function createRunFolder(folder: string, config: Config): void {
  trainable(config);
  createRun(folder, {
    config: config as unknown as Json, // Plain data, but an interface has no index signature.
    version: VERSION,
    node: process.version,
    git: gitState(),
    createdAt: new Date().toISOString(),
  });
  // For people; the run itself reads what the store keeps.
  writeFileSync(join(folder, 'config.yaml'), configToYaml(config));
}

/** The commit of the working folder and whether it was clean; null outside a repository. */
function gitState(): Json {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { commit: git('rev-parse', 'HEAD').trim(), clean: git('status', '--porcelain').trim() === '' };
  } catch {
    return null;
  }
}

/** The configuration a run was started with, checked again: the program may have changed since. */
export const storedConfig = (meta: Json | undefined): Config => loadConfig({ overrides: meta as ConfigInput }).config;

/** Plays the game in an existing run folder from wherever its journal stands, and sums up at the end. */
export async function* play(folder: string, configured: Config, signals: Signals): AsyncGenerator<TrainEvent> {
  const config = trainable(configured);
  // Every request in flight listens to it: that is no leak.
  setMaxListeners(0, signals.signal);
  await using opened = openJournal(folder, { now: Date.now });
  const notes = runNotes(() => opened.cursor()?.epoch ?? 0);
  const journal = notes.written(opened);
  // A resumed run may have been given more epochs: readers should know.
  journal.setMeta('config', config as unknown as Json);
  const benchmark = openBenchmark(config);
  const started = performance.now();
  const { notice } = notes;
  await using engine = yield* notes.shown(openEngine({ config, folder, benchmark, journal, notice, ...signals }));
  await using author = needsWriter(config, journal) ? await openServer(config.writer) : undefined;
  const players = { engine, author: await author?.sampler('environment') };
  const spent = watchTime(journal);
  const paid = watchCost(journal);
  const game = await assemble(config, basename(folder), benchmark, journal, players, signals);
  for await (const event of notes.shown(coevolve(game))) {
    spent();
    if (author) paid(author.usage());
    yield event;
    if (event.type === 'end') yield summarise(journal, config, event, (performance.now() - started) / 1000);
  }
}

/** A set that is written once needs no author any more when it stands. */
function needsWriter(config: Config, journal: RunJournal): config is Config & Required<Pick<Config, 'writer'>> {
  const { tasks } = VARIANTS[config.variant];
  const begun = (journal.cursor()?.epoch ?? 0) > 0;
  return config.writer !== undefined && (tasks === 'fresh' || (tasks === 'fixed' && !begun));
}

/** Keeps what a server was asked for by all processes that played a run. */
function watchCost(journal: RunJournal): (usage: ServerBill) => void {
  const before = billOf(journal.meta());
  return (usage) => journal.setMeta('writer', { ...sumOfBills(before, usage) });
}

/**
 * Keeps the wall time of all processes that played a run, as far as each of them got. Models that are made once and then
 * found in the cache are not in it: the first arm of a comparison would pay for the others.
 */
function watchTime(journal: RunJournal): () => void {
  const before = Number(journal.meta().seconds ?? 0);
  const started = performance.now();
  return () => journal.setMeta('seconds', before + (performance.now() - started) / 1000);
}

/** Writes a player of a run, as its last commit left it, into a Hugging Face folder. */
export async function exportModel(folder: string, player: Player, out: string): Promise<void> {
  using reader = openReader(folder);
  const config = storedConfig(reader.meta().config);
  const checkpoint = reader.checkpoint(player);
  if (!checkpoint) throw new StoreError('missing', `${folder} has not begun: it has no models yet. Resume it first.`);
  const signal = new AbortController().signal;
  const benchmark = openBenchmark(config);
  const opening = openEngine({ config: trainable(config), folder, benchmark, journal: reader, signal });
  let step = await opening.next();
  while (!step.done) step = await opening.next();
  await using engine = step.value;
  await (await engine.trainer(player)).load(checkpoint);
  await engine.exportModel?.(player, out);
}

/** Steps are this many items, or enough to keep every request slot busy: what a kill can cost. */
const STEP_ITEMS = 64;

interface Players {
  engine: TrainingEngine & { teacher?(): Sampler };
  /** Who writes tasks in place of a simulator that is not trained. */
  author: Sampler | undefined;
}

async function assemble(
  config: TrainableConfig,
  run: string,
  benchmark: Benchmark,
  journal: RunJournal,
  { engine, author }: Players,
  signals: Signals,
): Promise<Game> {
  const { curriculum, generation, evaluation, pools, fixed, concurrency } = config;
  const { maxKl } = config.environment;
  const agent = await agentPolicy({
    trainer: await engine.trainer('agent'),
    reference: await engine.reference('agent'),
    benchmark,
    ...shorthand(config, benchmark),
    limits: { ...config.rollout, successThreshold: curriculum.successThreshold },
    concurrency,
    ...config.agent,
    optimizer: optimizer(config, 'agent'),
  });
  const writing = { benchmark, concurrency, ...generation, reference: await engine.reference('environment') };
  const environment = await environmentPolicy({
    ...writing,
    trainer: await engine.trainer('environment'),
    optimizer: optimizer(config, 'environment'),
    loss: environmentLoss(config),
    maxKl: maxKl === 'auto' ? ENGINE_DEFAULTS[config.engine.kind].maxKl : maxKl,
  });
  const outside = author && writer({ ...writing, reference: author }, () => author);
  const variant = VARIANTS[config.variant];
  return {
    run,
    epochs: config.epochs,
    rng: createRng(config.seed),
    journal,
    agent,
    environment: { ...environment, ...outside },
    teacher: outside ?? writer(writing, () => engine.teacher?.() ?? writing.reference),
    base: () => benchmark.base(),
    validation: () => benchmark.validation(),
    test: async () => (await benchmark.test?.()) ?? [],
    envUpdate: ENV_UPDATES[config.environment.update],
    curriculum,
    draw: {
      variant,
      ...curriculum,
      ...generation,
      ...pools,
      target: curriculum,
      fixedSetSize: (base) => Math.round(base * (variant.author === 'teacher' ? fixed.teacherRatio : fixed.variations)),
    },
    rollouts: { count: curriculum.rollouts, temperature: config.rollout.temperature },
    generation,
    agentBatches: { ...pools, size: config.agent.batchSize, passes: config.agent.passes },
    envBatches: { ...config.environment, size: config.environment.batchSize, probes: config.environment.klSamples },
    evaluation: { ...evaluation, count: evaluation.rollouts },
    stepSize: Math.max(STEP_ITEMS, 4 * concurrency),
    ...signals,
  };
}

/** Models that start from nothing speak as they were taught; others are told about tools and call them as they know how. */
function shorthand({ engine }: TrainableConfig, { school }: Benchmark): Pick<School, 'readCalls'> {
  const taught = engine.kind === 'tinker' ? engine.shorthand : engine.kind === 'local' && engine.model === undefined;
  return taught && school?.readCalls ? { readCalls: school.readCalls } : {};
}

export function openBenchmark({ benchmark }: Config): Benchmark {
  switch (benchmark.name) {
    case 'toy':
      return toyBenchmark(benchmark);
    case 'errands':
      return errandsBenchmark(benchmark);
    case 'letters':
      return lettersBenchmark(benchmark);
    case 'file':
      return fileBenchmark({ ...benchmark, readDraft });
    default:
      return benchmark satisfies never;
  }
}

function optimizer(config: TrainableConfig, player: Player): OptimStep {
  const { learningRate, maxGradNorm, weightDecay } = config[player];
  const rate = learningRate === 'auto' ? ENGINE_DEFAULTS[config.engine.kind].learningRate[player] : learningRate;
  return { learningRate: rate, maxGradNorm, weightDecay };
}

/** Weights train by regression; advantages, which may be negative, by a clipped ratio. */
function environmentLoss({ environment, agent }: Config): Loss {
  const { klCoef } = environment;
  if (environment.update !== 'grpo') return { kind: 'crossEntropy', klCoef };
  return { kind: 'clipped', clipLow: agent.clipLow, clipHigh: agent.clipHigh, klCoef };
}
