/** From `engine` in the configuration to an engine: part of the composition root, apart because engines load lazily. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import {
  type Config,
  ConfigError,
  type EngineConfig,
  type LocalEngineConfig,
  type OpenAiConfig,
  type TinkerConfig,
} from './config.ts';
import type { Benchmark, School } from './core/benchmark.ts';
import { canonicalJson } from './core/content-id.ts';
import type { Sampler, SamplingEngine, TrainingEngine } from './core/engine.ts';
import type { RunEvent } from './core/events.ts';
import { hashText, hex } from './core/hash.ts';
import { type Journal, NOTHING_SPENT } from './core/journal.ts';
import { createRng } from './core/rng.ts';
import type { Player } from './core/types.ts';
import type { ModelSource } from './engines/local/index.ts';
import type { OpenAiEngine } from './engines/openai/index.ts';
import { VERSION } from './version.ts';

/** A configuration whose engine can train. */
export type TrainableConfig = Config & { engine: Exclude<EngineConfig, OpenAiConfig> };

/** @throws ConfigError for an engine that only samples. */
export function trainable(config: Config): TrainableConfig {
  const { engine } = config;
  if (engine.kind !== 'openai') return { ...config, engine };
  const message =
    'engine.kind openai only samples, and a run trains the agent. Evaluate with it (genenv eval), or train with the engine local and let the server write the tasks: put url and model under writer, with the variant genenv-random, genenv-static or teacher-offline.';
  throw new ConfigError([{ place: 'configuration', path: 'engine.kind', message }]);
}

/** What `auto` stands for: learning rates and a KL cap that suit an engine's own models. */
export const ENGINE_DEFAULTS: Record<
  TrainableConfig['engine']['kind'],
  { learningRate: Record<Player, number>; maxKl: number }
> = {
  scripted: { learningRate: { agent: 0.01, environment: 0.4 }, maxKl: 2 },
  local: { learningRate: { agent: 3e-4, environment: 1e-3 }, maxKl: 1 },
  replay: { learningRate: { agent: 0.01, environment: 0.4 }, maxKl: 2 },
  // Adapters on large models: ten times what the whole of one would take.
  tinker: { learningRate: { agent: 4e-5, environment: 1e-4 }, maxKl: 0.3 },
};

interface Opening {
  config: TrainableConfig;
  /** The run's folder. */
  folder: string;
  benchmark: Benchmark;
  journal: Pick<Journal, 'ledger'>;
  /** Give up before the next step; nothing of a run is lost, because none has begun. */
  stop?: AbortSignal;
  signal: AbortSignal;
  /** Told what the engine has to say while the run goes on. */
  notice?(kind: string, detail: string): void;
}

export type OpenedEngine = TrainingEngine & {
  /** An author for the teacher-offline variant, where the engine has one. */
  teacher?(): Sampler;
  /** Writes a player's current weights as a model folder, where the engine holds any. */
  exportModel?(player: Player, folder: string): Promise<void>;
};

export async function* openEngine(opening: Opening): AsyncGenerator<RunEvent, OpenedEngine> {
  const { engine } = opening.config;
  const opened = yield* openKind(opening);
  if (engine.record === undefined) return opened;
  const { recordingEngine } = await import('./engines/replay/index.ts');
  return recordingEngine(opened, engine.record);
}

async function* openKind(opening: Opening): AsyncGenerator<RunEvent, OpenedEngine> {
  const { config, folder } = opening;
  const { engine } = config;
  const checkpoints = join(folder, 'checkpoints');
  switch (engine.kind) {
    case 'scripted': {
      const { scriptedEngine } = await import('./engines/scripted/index.ts');
      const { scriptsFor } = await import('./scripts.ts');
      return scriptedEngine({ scripts: await scriptsFor(config.benchmark, opening.benchmark), checkpoints });
    }
    case 'replay': {
      const { replayEngine } = await import('./engines/replay/index.ts');
      return replayEngine(engine.recording);
    }
    case 'local': {
      checkRuntime();
      const { localEngine } = await import('./engines/local/index.ts');
      const { context, loraRank, threads } = engine;
      const local = await localEngine({
        model: engine.model === undefined ? yield* newModels(opening, engine) : folderOf(engine.model, context),
        seed: config.seed,
        checkpoints,
        ...(loraRank > 0 ? { lora: { rank: loraRank, alpha: 2 * loraRank } } : {}),
        ...(threads === 'auto' ? {} : { threads }),
      });
      const { tokenizer } = local.players.environment;
      const write = opening.benchmark.school?.teacher;
      return write
        ? Object.assign(local, { teacher: () => scriptedTeacher(write, (text) => tokenizer.encode(text)) })
        : local;
    }
    case 'tinker':
      return openTinker(opening, engine);
    default:
      return engine satisfies never;
  }
}

/** Both players as adapters on a server, probed. */
async function openTinker({ config, folder, benchmark, notice }: Opening, engine: TinkerConfig): Promise<OpenedEngine> {
  const { tinkerEngine } = await import('./engines/tinker/index.ts');
  const { openChat } = await import('./open-chat.ts');
  const { adapterSeed } = await import('./engines/local/index.ts');
  const { url, keyEnv, loraRank, losses, wire, maxOutageSeconds, tokenizer, environmentTokenizer } = engine;
  const agentChat = await openChat(tokenizer);
  const environmentChat = environmentTokenizer === undefined ? agentChat : await openChat(environmentTokenizer);
  const opened = await tinkerEngine(
    {
      url,
      keyEnv,
      loraRank,
      losses,
      wire,
      maxOutageSeconds,
      run: basename(folder),
      players: {
        agent: { base: engine.model, chat: agentChat, seed: adapterSeed(config.seed, 'agent') },
        environment: {
          base: engine.environmentModel ?? engine.model,
          chat: environmentChat,
          seed: adapterSeed(config.seed, 'environment'),
        },
      },
      ...(notice ? { notice } : {}),
    },
    { weightDecay: Math.max(config.agent.weightDecay, config.environment.weightDecay) },
  );
  const write = benchmark.school?.teacher;
  return write ? Object.assign(opened, { teacher: () => scriptedTeacher(write, environmentChat.encode) }) : opened;
}

/** A server to sample from, probed. */
export async function openServer({ kind: _, ...options }: OpenAiConfig, signal: AbortSignal): Promise<OpenAiEngine> {
  const { openAiEngine } = await import('./engines/openai/index.ts');
  return openAiEngine(options, { signal });
}

export interface SamplingOptions {
  benchmark: Benchmark;
  /** Where models are kept that start from nothing; a place of its own that is removed again when absent. */
  folder?: string;
  signal?: AbortSignal;
  /** Told of progress while models learn their language. */
  watch?(event: RunEvent): void;
}

/** Any engine of the configuration for sampling alone: to evaluate, or to write tasks. */
export async function openSampling(config: Config, options: SamplingOptions): Promise<SamplingEngine> {
  const { benchmark, signal = new AbortController().signal, watch } = options;
  if (config.engine.kind === 'openai') return openServer(config.engine, signal);
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'genenv-sampling-')));
  const tidy = async () => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const journal = { ledger: () => NOTHING_SPENT };
    const opening = openEngine({ config: trainable(config), folder, benchmark, journal, signal });
    let step = await opening.next();
    for (; !step.done; step = await opening.next()) watch?.(step.value);
    const engine = step.value;
    return {
      name: engine.name,
      sampler: (player) => engine.sampler(player),
      async [Symbol.asyncDispose]() {
        await engine[Symbol.asyncDispose]();
        await tidy();
      },
    };
  } catch (error) {
    await tidy();
    throw error;
  }
}

/** The world's own teacher as an author. Its words are counted as tokens, like any other author's. */
function scriptedTeacher(write: NonNullable<School['teacher']>, encode: (text: string) => number[]): Sampler {
  return {
    version: 'teacher',
    async sample({ messages, n, seed }) {
      const samples = Array.from({ length: n }, (_, i) => {
        const text = write(messages, createRng(seed).fork(i));
        const tokens = Int32Array.from(encode(text));
        return { text, tokens, logprobs: new Float32Array(tokens.length), stop: 'stop' as const };
      });
      return { prompt: new Int32Array(), samples };
    },
  };
}

/** What an engine needs is not there: something the user must install. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/**
 * onnxruntime-node brings its CPU library along, but its install script wants GPU libraries from elsewhere; where that
 * fails npm leaves the package out, since it is optional.
 */
export function checkRuntime(): void {
  try {
    import.meta.resolve('onnxruntime-node');
  } catch {
    throw new EngineError(
      'The local engine needs onnxruntime-node, which is not installed (its install script could not reach the network). Run: npm install --ignore-scripts onnxruntime-node',
    );
  }
}

const folderOf = (path: string, context: number) => ({ kind: 'folder' as const, path, context });

/**
 * Models from nothing, warmed up by demonstrations. They are made once per configuration and kept in the user's cache; a
 * run keeps its own copy, so that it can be resumed wherever it is taken.
 */
async function* newModels(
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
  if (!existsSync(cached)) yield* makeModels(cached, opening, engine, school);
  await cp(cached, `${models}.part`, { recursive: true });
  renameSync(`${models}.part`, models);
  return sources;
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
  const part = `${target}.${process.pid}`;
  const place = (learning: Player, done: number) => ({
    epoch: 0,
    phase: 'prepare' as const,
    learning,
    done,
    units: steps[learning],
  });
  await mkdir(part, { recursive: true });
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
    try {
      renameSync(part, target);
    } catch (error) {
      // Another process has made the same models meanwhile.
      if (!existsSync(target)) throw error;
    }
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
