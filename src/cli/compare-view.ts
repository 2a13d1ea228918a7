/** What a comparison looks like while it happens: a line per run that ended, and on a terminal those at hand. */
import type { Plan, PlannedRun } from '../compare/plan.ts';
import { twins } from '../compare/plan.ts';
import type { RunOutcome } from '../compare/play-runs.ts';
import type { ResultFiles } from '../compare/write-results.ts';
import type { ArmRun, Comparison } from '../report/comparison.ts';
import type { TrainEvent } from '../run.ts';
import { VERSION } from '../version.ts';
import { closingTable } from './compare-table.ts';
import { counted, decimal, duration, fromTo } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { openScreen } from './screen.ts';
import { brief, visible } from './visible.ts';

export interface CompareView {
  event(run: PlannedRun, event: TrainEvent): void;
  waiting(run: PlannedRun): void;
  outcome(outcome: RunOutcome, finished: ArmRun | undefined): void;
  /** Ctrl-C was pressed once. */
  stopping(): void;
  /** It was stopped; this command goes on with it. */
  stopped(resume: string): void;
  results(comparison: Comparison, files: ResultFiles): void;
  close(): void;
}

interface Shown {
  plan: Plan;
  folder: string;
  runs: readonly PlannedRun[];
  options: CommonOptions;
}

export function openCompareView({ plan, folder, runs, options }: Shown): CompareView {
  const screen = openScreen(options.json ? process.stderr : process.stdout, options.quiet === true);
  const { say, paint } = screen;
  const width = Math.max(...runs.map(({ run }) => run.length));
  const pace = paceOf(runs);
  /** What the runs at hand are doing, in the order they were started. */
  const doing = new Map<string, string>();
  let over = 0;

  for (const line of header(plan, folder)) say(line);
  for (const [arm, twin] of twins(plan.arms)) {
    say(`  ${paint('yellow', 'warning')}  ${arm} has the same settings as ${twin} here: their runs will be the same.`);
  }
  const move = () =>
    screen.move(() => {
      const left = pace.left();
      const at = [...doing].map(([run, what]) => `${run} ${what}`);
      return ['', `${over}/${runs.length}`, ...at, ...(left === undefined ? [] : [`${duration(left)} left`])].join(
        '  ',
      );
    });

  return {
    event({ run, config }, event) {
      if (event.type === 'start') pace.start(run, Math.max(0, event.epoch - 1));
      if (event.type === 'epoch') pace.epoch(run, event.epoch);
      if ('phase' in event) doing.set(run, `epoch ${event.epoch}/${config.epochs} ${event.phase}`);
      move();
    },
    waiting: ({ run }) => say(paint('dim', `  ${run} is being written by another process; waiting for it to end.`)),
    outcome(outcome, finished) {
      doing.delete(outcome.run.run);
      if (outcome.status === 'stopped') return;
      over++;
      pace.end(outcome.run.run, outcome.status === 'finished' && outcome.kept);
      const place = `  ${String(over).padStart(String(runs.length).length)}/${runs.length}`;
      const name = outcome.run.run.padEnd(width);
      if (outcome.status === 'failed') say(`${place}  ${name}  ${paint('yellow', 'failed')}  ${brief(outcome.reason)}`);
      else if (finished) say(`${place}  ${name}  ${runLine(finished)}${outcome.kept ? '  (finished before)' : ''}`);
    },
    stopping: () =>
      say(`  ${paint('yellow', 'stopping')}  runs finish their step and save. Ctrl-C again stops at once.`),
    stopped: (resume) =>
      say(`\n  ${over} of ${runs.length} runs are finished. Go on with:  ${paint('bold', resume)}\n`),
    results(comparison, files) {
      for (const line of closingTable(comparison)) say(line);
      const shown = files.html ?? files.json;
      const first = runs[0]!;
      const steps = nextSteps(
        [visible(shown), files.html ? 'open it: figures, tables and what they mean' : 'all numbers'],
        [command({ runsDir: folder }, 'show', first.run), 'one of the runs'],
      );
      for (const line of steps) say(line);
    },
    close: screen.close,
  };

  function header({ arms, seeds, name }: Plan, where: string): string[] {
    const { engine, benchmark, preset, epochs } = arms[0]!.config;
    const what = [benchmark.name, `${engine.kind} engine`, `preset ${preset}`, `${epochs} epochs`];
    const threads =
      engine.kind === 'local'
        ? [`${counted(Number(engine.threads), 'thread')} a run (fixed by the plan: it decides the last bits)`]
        : [];
    return [
      `\n  ${paint('bold', `genenv ${VERSION}`)}   ${visible(name)}   ${[...what, ...threads].join(' · ')}`,
      `  ${counted(arms.length, 'arm')} × ${counted(seeds.length, 'seed')} = ${counted(runs.length, 'run')}   seeds ${seeds.join(', ')}`,
      ...arms.map((arm) => paint('dim', `    ${arm.name.padEnd(22)} ${arm.description}`)),
      paint('dim', `  ${visible(where)}\n`),
    ];
  }
}

function runLine({ validation, test, epochs, seconds }: ArmRun): string {
  const scores = epochs.flatMap(({ metrics }) => metrics['val/successRate'] ?? []);
  return [
    `validation ${fromTo({ first: scores[0] ?? null, last: validation?.successRate ?? null })}`,
    ...(test ? [`test ${decimal(test.successRate)}`] : []),
    duration(seconds),
  ].join('  ');
}

/** Time left, from the epochs this process has seen go by: with several runs at a time they go by faster. */
function paceOf(runs: readonly PlannedRun[], now: () => number = () => performance.now() / 1000) {
  const epochsOf = new Map(runs.map(({ run, config }) => [run, config.epochs]));
  const todo = new Map(epochsOf);
  const begun = now();
  let seen = 0;
  const reach = (run: string, epoch: number) => {
    const before = todo.get(run)!;
    todo.set(run, Math.min(before, epochsOf.get(run)! - epoch));
    return before - todo.get(run)!;
  };
  return {
    start: reach,
    epoch: (run: string, epoch: number) => {
      seen += reach(run, epoch);
    },
    end: (run: string, kept: boolean) => {
      const rest = reach(run, epochsOf.get(run)!);
      if (!kept) seen += rest;
    },
    left(): number | undefined {
      const total = [...todo.values()].reduce((sum, epochs) => sum + epochs, 0);
      return seen === 0 ? undefined : (total * (now() - begun)) / seen;
    },
  };
}
