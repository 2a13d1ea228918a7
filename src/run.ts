/** The composition root: the only place where a configuration becomes players, a journal and a loop. */
import { execFileSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Config, type ConfigInput, configToYaml, loadConfig } from './config.ts';
import { type ControlEvent, openControl } from './control/session.ts';
import { steeredEngine, steeredGame } from './control/steered.ts';
import { alphaIn, readChanges, type Tuning } from './control/tuning.ts';
import type { Benchmark, School } from './core/benchmark.ts';
import { coevolve, type Game } from './core/coevolve.ts';
import type { Loss, OptimStep, Sampler, Trainer, TrainingEngine } from './core/engine.ts';
import { ENV_UPDATES } from './core/env-update.ts';
import type { RunEvent } from './core/events.ts';
import { createRng } from './core/rng.ts';
import type { Checkpoint, Json, Player } from './core/types.ts';
import { VARIANTS } from './core/variants.ts';
import { openBenchmark } from './open-benchmark.ts';
import {
  ENGINE_DEFAULTS,
  type OpenedEngine,
  openEngine,
  openServer,
  type TrainableConfig,
  trainable,
} from './open-engine.ts';
import { openRunSinks } from './open-sinks.ts';
import { agentPolicy } from './policies/agent.ts';
import { environmentPolicy } from './policies/environment.ts';
import { writer } from './policies/write-tasks.ts';
import { runNotes } from './run-notes.ts';
import { createRun, openJournal, openReader, type RunJournal, StoreError } from './store/index.ts';
import { billOf, type ServerBill, type Summary, summarise, sumOfBills } from './summary.ts';
import { VERSION } from './version.ts';

export type { ControlEvent } from './control/session.ts';
export type { RunEvent } from './core/events.ts';
export type { Summary } from './summary.ts';

export interface Signals {
  /** Finish the step, commit, end. */
  stop: AbortSignal;
  /** Abandon the step now; what is committed stays. */
  signal: AbortSignal;
}

export type TrainEvent = RunEvent | ControlEvent | Summary;

export interface PlayOptions {
  /** Whoever knows it may steer the run while it goes on; without one nobody can. */
  controlToken?: string | undefined;
}

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
export async function* play(
  folder: string,
  given: Config,
  signals: Signals,
  { controlToken }: PlayOptions = {},
): AsyncGenerator<TrainEvent> {
  const config = trainable(given);
  // Every request in flight listens to it: that is no leak.
  setMaxListeners(0, signals.signal);
  await using opened = openJournal(folder, { now: Date.now });
  const notes = runNotes(() => opened.cursor()?.epoch ?? 0);
  const journal = notes.written(opened);
  // A resumed run may have been given more epochs: readers should know.
  journal.setMeta('config', config as unknown as Json);
  await using sinks = openRunSinks(folder, config, journal);
  const configured = tunable(config);
  using control = openControl({ folder, journal, configured, token: controlToken, ...signals });
  const { tuning } = control;
  const benchmark = await openBenchmark(config);
  const started = performance.now();
  const { notice } = notes;
  await using engine = yield* notes.shown(openEngine({ config, folder, benchmark, journal, notice, ...signals }));
  const stops = { ...signals, stop: AbortSignal.any([signals.stop, control.stop]) };
  const cancelled = AbortSignal.any([stops.stop, signals.signal]);
  await using author = needsWriter(config, journal) ? await openServer(config.writer, cancelled) : undefined;
  const steered = steeredEngine(sinks.traced(engine), configured.learningRate, tuning);
  const game = await assemble({
    run: basename(folder),
    config,
    benchmark,
    journal,
    engine: steered,
    author: await author?.sampler('environment'),
    signals: stops,
  });
  const spent = watchTime(journal, control.pausedSeconds);
  const paid = watchCost(journal);
  const alpha = (epoch: number) => alphaIn(epoch, configured.alpha, readChanges(journal.meta()));
  for await (const event of notes.shown(coevolve(steeredGame(game, tuning)))) {
    spent();
    if (author) paid(author.usage());
    sinks.event(event);
    if (event.type === 'end') await sinks.close(event.status);
    yield* sinks.notes();
    yield event;
    if (event.type === 'progress') yield* control.between();
    if (event.type === 'end') yield summarise(journal, config, event, (performance.now() - started) / 1000, alpha);
  }
}

/** What of the configuration a person may change while the run goes on. */
const tunable = (config: TrainableConfig): Omit<Tuning, 'banned'> => ({
  epochs: config.epochs,
  alpha: config.curriculum.alpha,
  learningRate: {
    agent: optimizer(config, 'agent').learningRate,
    environment: optimizer(config, 'environment').learningRate,
  },
});

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
 * Keeps the wall time of all processes that played a run, as far as each of them got, without pauses. Models that are made
 * once and then found in the cache are not in it: the first arm of a comparison would pay for the others.
 */
function watchTime(journal: RunJournal, pausedSeconds: () => number): () => void {
  const before = Number(journal.meta().seconds ?? 0);
  const started = performance.now();
  return () => journal.setMeta('seconds', before + (performance.now() - started) / 1000 - pausedSeconds());
}

/** Writes a player of a run, as its last commit left it, into a Hugging Face folder. */
export async function exportModel(folder: string, player: Player, out: string): Promise<void> {
  const { engine } = await openPlayer(folder, player);
  await using _ = engine;
  await engine.exportModel?.(player, out);
}

/** A player of a run as its last commit left it, on an engine that the caller closes. */
export async function openPlayer(
  folder: string,
  player: Player,
): Promise<{ engine: OpenedEngine; trainer: Trainer; checkpoint: Checkpoint }> {
  using reader = openReader(folder);
  const config = storedConfig(reader.meta().config);
  const checkpoint = reader.checkpoint(player);
  if (!checkpoint) throw new StoreError('missing', `${folder} has not begun: it has no models yet. Resume it first.`);
  const signal = new AbortController().signal;
  const benchmark = await openBenchmark(config);
  const opening = openEngine({ config: trainable(config), folder, benchmark, journal: reader, signal });
  let step = await opening.next();
  while (!step.done) step = await opening.next();
  const engine = step.value;
  const trainer = await engine.trainer(player);
  await trainer.load(checkpoint);
  return { engine, trainer, checkpoint };
}

/** Steps are this many items, or enough to keep every request slot busy: what a kill can cost. */
const STEP_ITEMS = 64;

interface Parts {
  run: string;
  config: TrainableConfig;
  benchmark: Benchmark;
  journal: RunJournal;
  engine: TrainingEngine & { teacher?(): Sampler };
  /** Who writes tasks in place of a simulator that is not trained. */
  author: Sampler | undefined;
  signals: Signals;
}

/** Algorithm 1's game from its parts: what the configuration calls things, in the words of the core. */
async function assemble({ run, config, benchmark, journal, engine, author, signals }: Parts): Promise<Game> {
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
