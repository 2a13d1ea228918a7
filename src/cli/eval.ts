/** `genenv eval`: a benchmark's exam taken by any engine's model or by the agent of a run; goes on where it was left. */
import { basename, join } from 'node:path';
import { EngineStopped } from '../core/engine.ts';
import { type Evaluated, evaluate } from '../eval/evaluate.ts';
import { claimEvaluation, discardUnanswered } from '../eval/folder.ts';
import { openJudge } from '../eval/judge.ts';
import { openAgent, openModel } from '../eval/open-sampler.ts';
import { resultOf } from '../eval/result.ts';
import { writeJson } from '../report/write-whole.ts';
import { VERSION } from '../version.ts';
import { Interrupted } from './errors.ts';
import { type EvalOptions, type EvalPlan, planEvaluation } from './eval-plan.ts';
import { type EvalView, openEvalView } from './eval-view.ts';
import { listenForInterrupts } from './interrupts.ts';
import { sayJson } from './say.ts';

/**
 * Ctrl-C once: answers under way are waited for. Twice: they are given up. Either way what has come is safe, and the
 * command to go on with is said.
 */
export async function evalCommand(benchmark: string, file: string | undefined, options: EvalOptions): Promise<void> {
  let view: EvalView | undefined;
  using interrupts = listenForInterrupts(() => view?.stopping());
  const { stop, signal } = interrupts;
  await using judge = openJudge(options.judge, signal);
  const plan = await planEvaluation(benchmark, file, options, judge.ask);
  const { exam, config, agent, folder, asking, limit } = plan;
  await exam.ids(); // Says that the data is missing before a folder is made.
  using _lock = claimEvaluation(folder, plan.settings);
  view = openEvalView(options, plan);
  const started = performance.now();
  try {
    await using model = agent ? await openAgent(agent.folder) : await openModel(config, signal);
    const { sampler } = model;
    const about = { exam, sampler, folder, limit, concurrency: config.concurrency, ...asking };
    const evaluated = await evaluate({ ...about, stop, signal, onProgress: view.progress });
    const seconds = (performance.now() - started) / 1000;
    await conclude(plan, evaluated, { model: sampler.version, judge: judge.model(), seconds }, view, options);
    if (evaluated.failures.length > 0) process.exitCode = 1;
    if (stop.aborted && !evaluated.complete) process.exitCode = 130;
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error;
    discardUnanswered(folder);
    if (cause instanceof EngineStopped || cause instanceof Interrupted) view.failed(plan.resume);
    throw cause;
  } finally {
    view.close();
  }
}

async function conclude(
  { benchmark, exam, folder, settings, resume }: EvalPlan,
  evaluated: Evaluated,
  about: { model: string; judge: string | null; seconds: number },
  view: EvalView,
  { json }: EvalOptions,
): Promise<void> {
  const { verdicts, failures, complete, kept, truncated } = evaluated;
  const result = await resultOf(exam, verdicts);
  const results = {
    type: 'evaluation',
    name: basename(folder),
    folder,
    benchmark,
    ...result,
    complete,
    failures: failures.length,
    kept,
    truncated,
    ...about,
    settings,
    version: VERSION,
    finishedAt: new Date().toISOString(),
  };
  writeJson(join(folder, 'results.json'), results);
  if (json) sayJson(results);
  view.result(result, evaluated, resume);
}
