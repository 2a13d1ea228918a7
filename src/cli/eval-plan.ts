/** What an evaluation is to do, from what was typed. Nothing is made or asked here. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import type { Ask, Exam } from '../core/exam.ts';
import type { JsonObject } from '../core/types.ts';
import { agentOf } from '../eval/open-sampler.ts';
import type { ExaminedName } from '../exams.ts';
import { chosenExam, examined, settingsOf } from './chosen-exam.ts';
import { UsageError } from './errors.ts';
import { command } from './next-step.ts';
import { type CommonOptions, decimalNumber, wholeNumber } from './options.ts';
import { findRun, type RunFolder } from './run-folder.ts';
import { newRunName } from './run-name.ts';

export interface EvalOptions extends CommonOptions {
  engine?: string;
  run?: string;
  judge?: string;
  suite?: string;
  limit?: string;
  concurrency?: string;
  name?: string;
  seed?: string;
  temperature: string;
  maxTokens: string;
  set?: string[];
}

export interface EvalPlan {
  benchmark: ExaminedName;
  exam: Exam;
  config: Config;
  /** The run whose agent is examined; without one, the model of the configuration. */
  agent: RunFolder | undefined;
  /** Who is examined, in words. */
  who: string;
  folder: string;
  asking: { temperature: number; maxTokens: number; seed: number };
  limit: number | undefined;
  /** Everything the answers depend on. */
  settings: JsonObject;
  /** What to type to go on. */
  resume: string;
}

export async function planEvaluation(
  typed: string,
  file: string | undefined,
  options: EvalOptions,
  judge: Ask | undefined,
): Promise<EvalPlan> {
  const benchmark = examined(typed);
  const config = configOf(benchmark, file, options);
  const exam = await chosenExam(settingsOf(config), options.suite, judge);
  const agent = options.run === undefined ? undefined : findRun(options.run, options);
  const asking = {
    temperature: decimalNumber('--temperature', options.temperature),
    maxTokens: wholeNumber('--max-tokens', options.maxTokens, 1),
    seed: config.seed,
  };
  const examinee = agent ? { run: agent.run, agent: agentOf(agent.folder) } : { engine: engineOf(config) };
  const folder = folderOf(benchmark, options);
  return {
    benchmark,
    exam,
    config,
    agent,
    who: agent ? `the agent of ${agent.run}` : whoIs(config),
    folder,
    asking,
    limit: options.limit === undefined ? undefined : wholeNumber('--limit', options.limit, 1),
    settings: { benchmark: settingsOf(config), suite: exam.name, ...examinee, ...asking } as unknown as JsonObject, // Plain data.
    resume: command(options, ...again(benchmark, file, options, basename(folder))),
  };
}

function configOf(benchmark: ExaminedName, file: string | undefined, options: EvalOptions): Config {
  const { run, engine, concurrency, seed, set = [] } = options;
  if (run !== undefined && engine !== undefined) {
    throw new UsageError('--run brings its own engine: leave --engine out.');
  }
  const isSaid =
    [file, run, engine].some((given) => given !== undefined) || set.some((one) => one.startsWith('engine'));
  if (!isSaid) throw new UsageError('Say who is examined: a configuration file with an engine, --engine, or --run.');
  // A run's engine is in its folder; the configuration is then about the benchmark alone.
  const flags = { benchmark, engine: run === undefined ? engine : 'scripted', concurrency, seed };
  return loadConfig({ file, flags, set }).config;
}

function folderOf(benchmark: ExaminedName, { runsDir, name }: EvalOptions): string {
  if (name !== undefined) {
    if (!/^(?!\.)[A-Za-z0-9._-]{1,80}$/.test(name)) {
      throw new UsageError('--name must be 1 to 80 letters, digits, dots, dashes or underscores, not a dot first.');
    }
    return join(runsDir, name);
  }
  const named = (animal: string) => join(runsDir, `${benchmark}-${animal}`);
  return named(newRunName((taken) => existsSync(named(taken))));
}

/** The engine as far as answers depend on it. */
const engineOf = ({ engine }: Config): JsonObject =>
  Object.fromEntries(Object.entries(engine).filter(([key]) => !WITHOUT_EFFECT.has(key)));

/** How fast, how patiently and by which key it is asked, and what is written down of it. */
const WITHOUT_EFFECT = new Set([
  'record',
  'threads',
  'keyEnv',
  'headers',
  'timeoutSeconds',
  'maxRetries',
  'maxOutageSeconds',
  'startConcurrency',
  'maxConcurrency',
  'requestsPerSecond',
  'inputPrice',
  'outputPrice',
  'logprobs',
]);

function whoIs({ engine }: Config): string {
  const model = 'model' in engine ? engine.model : undefined;
  return model === undefined ? `the ${engine.kind} engine` : `${model} on the ${engine.kind} engine`;
}

function again(benchmark: string, file: string | undefined, options: EvalOptions, name: string): string[] {
  const { engine, run, judge, suite, limit, concurrency, seed, temperature, maxTokens, set = [] } = options;
  const flags = { engine, run, judge, suite, limit, concurrency, seed, temperature, 'max-tokens': maxTokens, name };
  const given = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined || value === USUAL[flag] ? [] : [`--${flag}`, value],
  );
  return ['eval', benchmark, ...(file === undefined ? [] : [file]), ...given, ...set.flatMap((one) => ['--set', one])];
}

/** Flags that need not be typed again. */
export const USUAL: Readonly<Record<string, string>> = { temperature: '0', 'max-tokens': '4096' };
