/** `genenv compare`: plays the runs of every arm and seed under one budget, and says what the difference is. */
import { ARMS } from '../compare/arms.ts';
import { collect } from '../compare/collect.ts';
import { type Plan, type PlannedRun, runsOf } from '../compare/plan.ts';
import { playRuns, type RunOutcome } from '../compare/play-runs.ts';
import { writeResults } from '../compare/write-results.ts';
import { collectRun } from '../comparison.ts';
import { armRows } from '../report/arm-rows.ts';
import type { ArmRun } from '../report/comparison.ts';
import { catchUps } from '../report/efficiency.ts';
import { judgedOn } from '../report/results.ts';
import { begin, type CompareOptions, continued } from './compare-plan.ts';
import { type CompareView, openCompareView } from './compare-view.ts';
import { listenForInterrupts } from './interrupts.ts';
import { command } from './next-step.ts';
import { wholeNumber } from './options.ts';
import { say, sayJson } from './say.ts';

export async function compare(file: string | undefined, options: CompareOptions): Promise<void> {
  if (options.listArms) return listArms(options);
  const parallel = wholeNumber('--parallel', options.parallel ?? '1', 1);
  const { folder, plan } =
    options.resume === undefined ? begin(file, options, parallel) : continued(options.resume, file, options);
  const runs = runsOf(plan, folder, parallel);
  const view = openCompareView({ plan, folder, runs, options });
  const outcomes = await playAll(runs, parallel, options, view);
  if (outcomes.some(({ status }) => status === 'stopped')) {
    view.stopped(command(options, 'compare', '--resume', options.resume ?? plan.name));
    process.exitCode = 130;
    return;
  }
  await conclude(plan, folder, outcomes, options, view);
}

async function playAll(
  runs: readonly PlannedRun[],
  parallel: number,
  { json }: CompareOptions,
  view: CompareView,
): Promise<RunOutcome[]> {
  using interrupts = listenForInterrupts(view.stopping);
  try {
    return await playRuns(runs, {
      parallel,
      stop: interrupts.stop,
      signal: interrupts.signal,
      onEvent: view.event,
      onWait: view.waiting,
      async onOutcome(outcome) {
        const result = outcome.status === 'finished' ? await collectRun(outcome.run) : undefined;
        if (json && outcome.status !== 'stopped') sayJson(runObject(outcome, result));
        view.outcome(outcome, result);
      },
    });
  } finally {
    view.close();
  }
}

async function conclude(
  plan: Plan,
  folder: string,
  outcomes: readonly RunOutcome[],
  options: CompareOptions,
  view: CompareView,
): Promise<void> {
  const finished = outcomes.filter(({ status }) => status === 'finished').map(({ run }) => run);
  const failed = outcomes.filter((outcome) => outcome.status === 'failed');
  const comparison = await collect(plan, finished, new Date().toISOString());
  const files = await writeResults(folder, comparison);
  view.results(comparison, files);
  if (options.json) {
    sayJson({
      type: 'comparison',
      name: plan.name,
      folder,
      status: failed.length === 0 ? 'finished' : 'failed',
      judgedOn: judgedOn(comparison.arms),
      arms: armRows(comparison),
      efficiency: catchUps(comparison.arms),
      failed: failed.map(({ run, reason }) => ({ run: run.run, reason })),
      files,
    });
  }
  if (failed.length > 0) process.exitCode = 1;
}

function runObject(outcome: Exclude<RunOutcome, { status: 'stopped' }>, result: ArmRun | undefined): object {
  const { run, status, ...how } = outcome;
  const { arm, seed, run: name, folder } = run;
  const { seconds, validation, test, epochs = [] } = result ?? {};
  return {
    type: 'run',
    arm,
    seed,
    run: name,
    folder,
    status,
    ...how,
    seconds,
    validation,
    test,
    ledger: epochs.at(-1)?.ledger,
  };
}

function listArms({ json }: CompareOptions): void {
  if (json) for (const arm of ARMS) sayJson(arm);
  else say('', ...ARMS.map(({ name, description }) => `  ${name.padEnd(22)}  ${description}`), '');
}
