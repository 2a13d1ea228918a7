/**
 * What a run looks like while it happens: a row per epoch, and on a terminal the phase at hand. With --json stdout carries
 * events only, and all of this goes to stderr.
 */
import { type Config, settingAt } from '../config.ts';
import type { Ledger, Phase } from '../core/journal.ts';
import type { Summary, TrainEvent } from '../run.ts';
import { VERSION } from '../version.ts';
import { bandBar, duration, progressBar } from './bars.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { openScreen, type Screen } from './screen.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';
import { visible } from './visible.ts';

export interface View {
  header(folder: string, config: Config, overridden: string[]): void;
  warn(message: string): void;
  event(event: TrainEvent): void;
  /** Ctrl-C was pressed once. */
  stopping(): void;
  /** The run broke off; this command goes on with it. */
  failed(resume: string): void;
  close(): void;
}

const PHASES: Record<Phase, { doing: string; unit?: string }> = {
  prepare: { doing: 'preparing', unit: 'steps' },
  generate: { doing: 'writing tasks', unit: 'seeds' },
  rollout: { doing: 'attempting', unit: 'tasks' },
  score: { doing: 'scoring' },
  updateAgent: { doing: 'training the agent' },
  updateEnv: { doing: 'training the environment' },
  evaluate: { doing: 'validating', unit: 'tasks' },
  aggregate: { doing: 'aggregating' },
};

export function openView({ runsDir, json = false, quiet = false }: CommonOptions): View {
  const screen = openScreen(json ? process.stderr : process.stdout, quiet);
  const { say, paint } = screen;
  let config: Config;
  let clock = stopwatch(1);

  return {
    header(folder, current, overridden) {
      config = current;
      for (const line of header(folder, config, overridden, screen)) say(line);
    },
    warn: (message) => say(`  ${paint('yellow', 'warning')}  ${message}`),
    stopping: () =>
      say(`  ${paint('yellow', 'stopping')}  finishing this step, then saving. Ctrl-C again stops at once.`),
    failed: (resume) => say(`\n  The run is safe up to its last commit:  ${paint('bold', resume)}`),
    close: screen.close,
    event(event) {
      if (json) process.stdout.write(`${JSON.stringify(event)}\n`);
      switch (event.type) {
        case 'start':
          clock = stopwatch(event.epochs);
          if (event.resumed) say(paint('dim', `  resuming in epoch ${event.epoch}`));
          say(paint('dim', TITLES));
          break;
        case 'phase':
          if (event.phase === 'prepare' && event.units > 1) say(paint('dim', WARMING_UP));
          clock.tick(event);
          screen.move(() => progressLine(event, clock));
          break;
        case 'progress':
          clock.tick(event);
          screen.move(() => progressLine(event, clock));
          break;
        case 'note':
          say(`  ${paint('yellow', event.kind)}  ${visible(event.detail)}`);
          break;
        case 'epoch':
          say(epochRow(event, config, clock.lap(event.epoch)));
          break;
        case 'end':
          screen.close();
          break;
        case 'summary':
          for (const line of closing(event, config, runsDir)) say(line);
          break;
        default:
          event satisfies never;
      }
    },
  };
}

function header(folder: string, config: Config, overridden: string[], { paint }: Screen): string[] {
  const { engine, benchmark, variant, preset, seed, epochs } = config;
  const what = [
    benchmark.name,
    variant,
    `${engine.kind} engine`,
    `preset ${preset}`,
    `seed ${seed}`,
    `${epochs} epochs`,
  ];
  const changes = overridden.map((path) => `${path}=${settingAt(config, path)}`).join('  ');
  const standIn =
    'The scripted engine is a stand-in without neural networks: the loop is real, the players are tables.';
  return [
    `\n  ${paint('bold', `genenv ${VERSION}`)}   ${what.join(' · ')}`,
    ...(changes === '' ? [] : [paint('dim', `  changed from the preset: ${visible(changes)}`)]),
    ...(engine.kind === 'scripted' ? [paint('dim', `  ${standIn}`)] : []),
    paint('dim', `  ${folder}\n`),
  ];
}

function progressLine(event: Extract<TrainEvent, { type: 'phase' | 'progress' }>, clock: Stopwatch): string {
  const { doing, unit } = PHASES[event.phase];
  const rate = clock.perSecond();
  const left = clock.left();
  return [
    `  ${String(event.epoch).padEnd(5)}`,
    doing,
    ...(unit
      ? [progressBar(event.units > 0 ? event.done / event.units : 1), `${event.done}/${event.units} ${unit}`]
      : []),
    ...(unit && rate ? [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`] : [duration(clock.inPhase())]),
    ...(left === undefined ? [] : [`${duration(left)} left`]),
    ...(event.type === 'progress' ? [ledgerLine(event.ledger)] : []),
  ].join('  ');
}

const WARMING_UP = '  Two new models learn from demonstrations first; the next run finds them in the cache.\n';

const TITLES = '  epoch  p̂ on generated tasks         in band  useful     solved/unsolved  val   tokens    time';

function epochRow(
  { epoch, metrics }: Extract<TrainEvent, { type: 'epoch' }>,
  { curriculum }: Config,
  seconds: number,
): string {
  const rate = metrics['env/successRate'];
  const share = (key: string) => (metrics[key] === undefined ? '–' : `${Math.round(100 * metrics[key])} %`);
  const number = (key: string, digits: number) => metrics[key]?.toFixed(digits) ?? '–';
  return [
    `  ${String(epoch).padEnd(5)}`,
    `${(rate?.toFixed(2) ?? '–').padStart(4)} ${bandBar(rate, curriculum)}`,
    share('env/bandShare').padStart(9),
    share('env/usefulShare').padStart(6),
    `${share('env/solvedShare').padStart(8)} / ${share('env/unsolvedShare').padEnd(6)}`,
    number('val/successRate', 2).padStart(4),
    number('agent/responseTokens', 1).padStart(7),
    duration(seconds).padStart(6),
  ].join('  ');
}

/** The last lines: what happened, what it cost, what to type next. */
function closing(summary: Summary, { curriculum: { alpha, kMin } }: Config, runsDir: string): string[] {
  const {
    generatedSuccess: generated,
    usefulGroups,
    validation,
    test,
    responseLength,
    ledger,
    run,
    status,
    epochs,
  } = summary;
  const move = (first: number | null, last: number | null, digits = 2) =>
    first === null || last === null ? '–' : `${first.toFixed(digits)} → ${last.toFixed(digits)}`;
  const band = `${(alpha - kMin).toFixed(2)}–${(alpha + kMin).toFixed(2)}`;
  const share =
    generated.shareInBand === null ? '' : `   (${Math.round(100 * generated.shareInBand)} % of epochs in ${band})`;
  const best = validation.best === null ? '' : `   (best ${validation.best.toFixed(2)})`;
  const many = epochs === 1 ? 'epoch' : 'epochs';
  const went = status === 'finished' ? `Finished ${epochs} ${many}` : `Stopped after ${epochs} whole ${many}`;
  return [
    '',
    `  ${went} in ${duration(summary.seconds)}.`,
    `    success on generated tasks  ${move(generated.first, generated.last)}${share}`,
    `    useful groups               ${move(usefulGroups.first, usefulGroups.last)}`,
    `    validation                  ${move(validation.first, validation.last)}${best}`,
    ...(test === null ? [] : [`    test                        ${test.toFixed(2)}`]),
    `    response length             ${move(responseLength.first, responseLength.last, 1)} tokens`,
    `    spent                       ${ledgerLine(ledger)}`,
    ...(status === 'finished'
      ? nextSteps(
          [command({ runsDir }, 'show', run), 'what it amounted to, epoch by epoch'],
          [command({ runsDir }, 'train', '--variant', 'genenv-random'), 'the same without environment training'],
        )
      : nextSteps([command({ runsDir }, 'resume', run), 'go on where it stopped'])),
  ];
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function ledgerLine({ tasks, rollouts, agentTokens, environmentTokens, rejectedGenerations }: Ledger): string {
  const [t, r, a, e, x] = [tasks, rollouts, agentTokens, environmentTokens, rejectedGenerations].map(compact.format);
  return `${t} tasks · ${r} rollouts · ${a} + ${e} tokens · ${x} rejected`;
}
