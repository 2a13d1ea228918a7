/**
 * What a run looks like while it happens: one row per epoch that stays, and on a terminal one line below it that moves.
 * With --json stdout carries events only, and all of this goes to stderr.
 */
import { styleText } from 'node:util';
import type { Config } from '../config.ts';
import type { Ledger, Phase } from '../core/journal.ts';
import type { Summary, TrainEvent } from '../run.ts';
import { VERSION } from '../version.ts';
import { bandBar, duration, progressBar } from './bars.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';

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

/** How often the moving line may be redrawn. */
const FRAME_MS = 80;

const PHASES: Record<Phase, { doing: string; unit?: string }> = {
  prepare: { doing: 'preparing' },
  generate: { doing: 'writing tasks', unit: 'seeds' },
  rollout: { doing: 'attempting', unit: 'tasks' },
  score: { doing: 'scoring' },
  updateAgent: { doing: 'training agent' },
  updateEnv: { doing: 'training environment' },
  evaluate: { doing: 'validating', unit: 'tasks' },
  aggregate: { doing: 'aggregating' },
};

export function openView({ runsDir, json = false, quiet = false }: CommonOptions): View {
  const out = json ? process.stderr : process.stdout;
  const live = out.isTTY === true && !quiet && process.env.TERM !== 'dumb';
  const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream: out });
  let moving = '';
  const erase = () => {
    if (moving !== '') out.write('\r\x1b[2K');
    moving = '';
  };
  const say = (line: string) => {
    if (quiet) return;
    erase();
    out.write(`${line}\n`);
  };
  const move = (line: string) => {
    if (!live) return;
    erase();
    // One column is left free: a full line would wrap and could not be erased.
    moving = clip(line, (out.columns ?? 80) - 1);
    out.write(moving);
  };

  let config: Config;
  let clock = stopwatch(1);
  let drawnAt = 0;

  return {
    header(folder, current, overridden) {
      config = current;
      const { engine, benchmark, variant, preset, seed, epochs } = config;
      const what = [
        benchmark.name,
        variant,
        `${engine.kind} engine`,
        `preset ${preset}`,
        `seed ${seed}`,
        `${epochs} epochs`,
      ];
      say(`\n  ${paint('bold', `genenv ${VERSION}`)}   ${what.join(' · ')}`);
      if (overridden.length > 0)
        say(
          paint(
            'dim',
            `  changed from the preset: ${overridden.map((p) => `${p}=${settingAt(config, p)}`).join('  ')}`,
          ),
        );
      if (engine.kind === 'scripted')
        say(
          paint(
            'dim',
            '  The scripted engine is a stand-in without neural networks: the loop is real, the players are tables.',
          ),
        );
      say(paint('dim', `  ${folder}\n`));
    },
    warn: (message) => say(`  ${paint('yellow', 'warning')}  ${message}`),
    stopping: () =>
      say(
        `  ${paint('yellow', 'stopping')}  finishing this step, then saving. Ctrl-C again stops at once; nothing committed is lost.`,
      ),
    failed: (resume) => say(`\n  The run is safe up to its last commit:  ${paint('bold', resume)}`),
    close: erase,
    event(event) {
      if (json) process.stdout.write(`${JSON.stringify(event)}\n`);
      switch (event.type) {
        case 'start':
          clock = stopwatch(event.epochs);
          if (event.resumed) say(paint('dim', `  resuming in epoch ${event.epoch}`));
          say(paint('dim', TITLES));
          break;
        case 'phase':
        case 'progress': {
          const tick = clock.tick(event);
          if (performance.now() - drawnAt < FRAME_MS) break;
          drawnAt = performance.now();
          const { doing, unit } = PHASES[event.phase];
          const amount = unit
            ? `${progressBar(event.units > 0 ? event.done / event.units : 1)} ${event.done}/${event.units} ${unit}  ${tick.perSecond}`
            : '';
          const spent = event.type === 'progress' ? `  ${ledgerLine(event.ledger)}` : '';
          move(`  ${String(event.epoch).padEnd(6)} ${doing} ${amount}  left ${tick.left}${spent}`);
          break;
        }
        case 'note':
          say(`  ${paint('yellow', event.kind)}  ${event.detail}`);
          break;
        case 'epoch':
          say(epochRow(event, config, clock.lap()));
          break;
        case 'end':
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

const TITLES = '  epoch  p̂ on generated tasks        in band  useful  solved/unsolved    val   tokens    time';

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
  const { generatedSuccess: generated, usefulGroups, validation, responseLength, ledger, run } = summary;
  const move = (first: number | null, last: number | null, digits = 2) =>
    first === null || last === null ? '–' : `${first.toFixed(digits)} → ${last.toFixed(digits)}`;
  const inBand =
    generated.shareInBand === null
      ? ''
      : `   (${Math.round(100 * generated.shareInBand)} % of epochs in ${(alpha - kMin).toFixed(2)}–${(alpha + kMin).toFixed(2)})`;
  const best = validation.best === null ? '' : `   (best ${validation.best.toFixed(2)})`;
  const status =
    summary.status === 'finished'
      ? `Finished ${summary.epochs} epochs`
      : `Stopped after ${summary.epochs} whole epochs`;
  return [
    '',
    `  ${status} in ${duration(summary.seconds)}.`,
    `    success on generated tasks  ${move(generated.first, generated.last)}${inBand}`,
    `    useful groups               ${move(usefulGroups.first, usefulGroups.last)}`,
    `    validation                  ${move(validation.first, validation.last)}${best}`,
    `    response length             ${move(responseLength.first, responseLength.last, 1)} tokens`,
    `    spent                       ${ledgerLine(ledger)}`,
    ...(summary.status === 'finished'
      ? nextSteps(
          [command({ runsDir }, 'show', run), 'what it amounted to, epoch by epoch'],
          [command({ runsDir }, 'train', '--variant', 'genenv-random'), 'the same without environment training'],
        )
      : nextSteps([command({ runsDir }, 'resume', run), 'go on where it stopped'])),
  ];
}

function ledgerLine({ tasks, rollouts, agentTokens, environmentTokens, rejectedGenerations }: Ledger): string {
  const short = (n: number) => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(n);
  return `${short(tasks)} tasks · ${short(rollouts)} rollouts · ${short(agentTokens)} + ${short(environmentTokens)} tokens · ${short(rejectedGenerations)} rejected`;
}

/** Rates and remaining time, from the items seen since the phase began and the epochs finished so far. */
function stopwatch(epochs: number) {
  let phaseStart = { at: performance.now(), done: 0, name: '' };
  let lapStart = performance.now();
  const laps: number[] = [];
  return {
    tick(event: { epoch: number; phase: Phase; done: number; units: number }) {
      const name = `${event.epoch} ${event.phase}`;
      if (name !== phaseStart.name) phaseStart = { at: performance.now(), done: event.done, name };
      const elapsed = (performance.now() - phaseStart.at) / 1000;
      const perSecond = (event.done - phaseStart.done) / elapsed;
      const mean = laps.reduce((sum, lap) => sum + lap, 0) / laps.length;
      const left = mean * (epochs - event.epoch + 1) - (performance.now() - lapStart) / 1000;
      return {
        perSecond: Number.isFinite(perSecond) && perSecond > 0 ? `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s` : '',
        left: laps.length > 0 ? duration(Math.max(0, left)) : '–',
      };
    },
    lap() {
      const seconds = (performance.now() - lapStart) / 1000;
      lapStart = performance.now();
      laps.push(seconds);
      return seconds;
    },
  };
}

function settingAt(config: Config, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config);
}

const clip = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
