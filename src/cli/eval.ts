/** `genenv eval`: a benchmark's exam taken by any engine's model or by the agent of a run; goes on where it was left. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { EngineStopped } from '../core/engine.ts';
import type { Exam } from '../core/exam.ts';
import type { JsonObject } from '../core/types.ts';
import { type Evaluated, evaluate } from '../eval/evaluate.ts';
import { claimEvaluation, writeWhole } from '../eval/folder.ts';
import { agentOf, openAgent, openModel } from '../eval/open-sampler.ts';
import { resultOf } from '../eval/result.ts';
import { VERSION } from '../version.ts';
import { chosenExam, examined, settingsOf } from './chosen-exam.ts';
import { Interrupted, UsageError } from './errors.ts';
import { openEvalView } from './eval-view.ts';
import { command } from './next-step.ts';
import { type CommonOptions, decimalNumber, wholeNumber } from './options.ts';
import { findRun } from './run-folder.ts';
import { newRunName } from './run-name.ts';
import { sayJson } from './say.ts';

export interface EvalOptions extends CommonOptions {
  engine?: string;
  run?: string;
  suite?: string;
  limit?: string;
  concurrency?: string;
  name?: string;
  seed?: string;
  temperature: string;
  maxTokens: string;
  set?: string[];
}

export async function evalCommand(benchmark: string, file: string | undefined, options: EvalOptions): Promise<void> {
  const { runsDir, suite, set, concurrency, seed, run } = options;
  const name = examined(benchmark);
  if (run !== undefined && options.engine !== undefined) {
    throw new UsageError('--run brings its own engine: leave --engine out.');
  }
  // A run's engine is in its folder; the configuration is then about the benchmark alone.
  const engine = run === undefined ? options.engine : 'scripted';
  const { config } = loadConfig({ file, flags: { benchmark: name, engine, concurrency, seed }, set });
  const asking = {
    temperature: decimalNumber('--temperature', options.temperature),
    maxTokens: wholeNumber('--max-tokens', options.maxTokens, 1),
    seed: config.seed,
  };
  const limit = options.limit === undefined ? undefined : wholeNumber('--limit', options.limit, 1);
  const exam = await chosenExam(settingsOf(config), suite);
  const agent = run === undefined ? undefined : findRun(run, options);
  const named = options.name ?? newRunName((taken) => existsSync(join(runsDir, `${name}-${taken}`)));
  const folder = join(runsDir, options.name ?? `${name}-${named}`);

  const examinee: JsonObject = agent ? { run: agent.run, agent: agentOf(agent.folder) } : { engine: engineOf(config) };
  const settings = { ...settingsOf(config), suite: exam.name, ...examinee, ...asking };
  await exam.ids(); // Says that the data is missing before anything is made.
  using _lock = claimEvaluation(folder, settings as unknown as JsonObject);

  const view = openEvalView(options, { folder, exam, benchmark: name, who: agent?.run ?? whoIs(config) });
  const stop = new AbortController();
  const abort = new AbortController();
  const resume = command(options, ...againWith(benchmark, file, options, basename(folder)));
  const interrupt = () => {
    if (stop.signal.aborted) abort.abort(new Interrupted(`Stopped at once. Answers are safe; go on with: ${resume}`));
    else view.stopping();
    stop.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const started = performance.now();
  try {
    await using model = agent ? await openAgent(agent.folder) : await openModel(config, folder, abort.signal);
    const signals = { stop: stop.signal, signal: abort.signal };
    const evaluated = await evaluate({
      exam,
      sampler: model.sampler,
      folder,
      limit,
      concurrency: config.concurrency,
      ...asking,
      ...signals,
      onProgress: view.progress,
    });
    const seconds = (performance.now() - started) / 1000;
    await conclude(exam, evaluated, { folder, model: model.sampler.version, settings, seconds });
  } catch (error) {
    if (error instanceof EngineStopped) view.failed(resume);
    throw error;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    view.close();
  }

  async function conclude(
    taken: Exam,
    evaluated: Evaluated,
    about: { folder: string; model: string; settings: object; seconds: number },
  ): Promise<void> {
    const { verdicts, failures, complete, kept, truncated } = evaluated;
    const result = await resultOf(taken, verdicts);
    const results = {
      type: 'evaluation',
      name: basename(folder),
      benchmark: name,
      ...result,
      complete,
      failures: failures.length,
      kept,
      truncated,
      ...about,
      version: VERSION,
      finishedAt: new Date().toISOString(),
    };
    writeWhole(join(folder, 'results.json'), results);
    if (options.json) sayJson(results);
    view.result(result, evaluated, resume);
    if (failures.length > 0) process.exitCode = 1;
    if (stop.signal.aborted && !complete) process.exitCode = 130;
  }
}

/** The engine as far as answers depend on it. */
function engineOf({ engine }: Config): JsonObject {
  const { record, ...rest } = engine as Config['engine'] & { threads?: unknown };
  return rest as unknown as JsonObject;
}

function whoIs({ engine }: Config): string {
  const { kind, model } = engine as { kind: string; model?: string };
  return model === undefined ? `the ${kind} engine` : `${model} on the ${kind} engine`;
}

/** What to type to go on. */
function againWith(benchmark: string, file: string | undefined, options: EvalOptions, name: string): string[] {
  const { engine, run, suite, limit, concurrency, seed, temperature, maxTokens, set = [] } = options;
  const flags = { engine, run, suite, limit, concurrency, seed, temperature, 'max-tokens': maxTokens, name };
  const given = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value]));
  return ['eval', benchmark, ...(file === undefined ? [] : [file]), ...given, ...set.flatMap((one) => ['--set', one])];
}
