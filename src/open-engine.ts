/** From `engine` in the configuration to an engine: part of the composition root, apart because engines load lazily. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Config, ConfigError, type EngineConfig, type OpenAiConfig, type TinkerConfig } from './config.ts';
import type { Benchmark, School } from './core/benchmark.ts';
import type { Sampler, SamplingEngine, TrainingEngine } from './core/engine.ts';
import type { RunEvent } from './core/events.ts';
import { type Journal, NOTHING_SPENT } from './core/journal.ts';
import { createRng } from './core/rng.ts';
import type { Player } from './core/types.ts';
import type { OpenAiEngine } from './engines/openai/index.ts';
import { folderOf, newModels } from './new-models.ts';

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

export interface Opening {
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
