/**
 * What a run looks like while it happens: a row per epoch, and on a terminal the phase at hand. With --json stdout carries
 * events only, and all of this goes to stderr.
 */
import { basename, dirname } from 'node:path';
import { type Config, settingAt, settingText } from '../config.ts';
import type { PhaseProgress } from '../core/events.ts';
import type { Phase } from '../core/journal.ts';
import type { TrainEvent } from '../run.ts';
import { VERSION } from '../version.ts';
import { bandBar, progressBar } from './bars.ts';
import { closing, spent } from './closing.ts';
import { counted, decimal, duration, NONE, percent } from './format.ts';
import { command } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { openScreen, type Screen } from './screen.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';
import { textWidth, wrap } from './text-width.ts';
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
  prepare: { doing: 'preparing' },
  generate: { doing: 'writing tasks', unit: 'seeds' },
  rollout: { doing: 'attempting', unit: 'tasks' },
  score: { doing: 'scoring' },
  updateAgent: { doing: 'training the agent' },
  updateEnv: { doing: 'training the simulator' },
  evaluate: { doing: 'validating', unit: 'tasks' },
  aggregate: { doing: 'aggregating' },
};

export function openView({ runsDir, json = false, quiet = false }: CommonOptions): View {
  const screen = openScreen(json ? process.stderr : process.stdout, quiet);
  const { say, paint } = screen;
  let config: Config;
  let clock = stopwatch(1);
  let learns = false;

  /** `warning  ` and the like, then text that may take several lines. */
  const tell = (label: string, text: string) => {
    const [first, ...more] = wrap(text, screen.width() - label.length - 4);
    say(`  ${paint('yellow', label)}  ${first}`);
    for (const line of more) say(`  ${' '.repeat(label.length)}  ${line}`);
  };

  return {
    header(folder, current, overridden) {
      config = current;
      for (const line of header(folder, config, overridden, screen)) say(line);
    },
    warn: (message) => tell('warning', message),
    stopping: () => tell('stopping', 'finishing this step, then saving. Ctrl-C again stops at once.'),
    failed: (resume) => say(`\n  The run is safe up to its last commit:  ${paint('bold', resume)}`),
    close: screen.close,
    event(event) {
      if (json) process.stdout.write(`${JSON.stringify(event)}\n`);
      switch (event.type) {
        case 'start':
          if (learns) say('');
          clock = stopwatch(event.epochs);
          if (event.resumed) say(paint('dim', `  resuming in epoch ${event.epoch}`));
          say(paint('dim', TITLES));
          break;
        case 'phase':
        case 'progress':
          if (event.learning && !learns) for (const line of LEARNING) say(paint('dim', line));
          learns ||= event.learning !== undefined;
          clock.tick(event);
          if (screen.live) screen.move(() => progressLine(event, clock, screen.width()));
          else if (isMilestone(event)) say(learningLine(event));
          break;
        case 'note':
          tell(event.kind, visible(event.detail));
          break;
        case 'control':
          tell('control', visible(`${event.who}: ${event.accepted ? '' : 'refused: '}${event.detail}`));
          config = tuned(config, event.settings);
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

/** The target that rows are drawn against. */
const tuned = (config: Config, { alpha, epochs }: { alpha: number; epochs: number }): Config => ({
  ...config,
  epochs,
  curriculum: { ...config.curriculum, alpha },
});

function header(folder: string, config: Config, overridden: string[], { paint, width }: Screen): string[] {
  const { engine, benchmark, variant, preset, seed, epochs } = config;
  const what = [`${benchmark.name} world`, `${engine.kind} engine`, counted(epochs, 'epoch')];
  const changes = overridden.map((path) => `${path}=${settingText(settingAt(config, path))}`).join('  ');
  const lines = [
    `variant ${variant} · preset ${preset} · seed ${seed}`,
    ...(changes === '' ? [] : [`changed from the preset: ${visible(changes)}`]),
    ...(engine.kind === 'scripted' ? [STAND_IN] : []),
    ...(engine.kind === 'local' && engine.model === undefined ? [NEW_MODELS] : []),
  ];
  return [
    `\n  ${paint('bold', `genenv ${VERSION}`)}  ${what.join(' · ')}`,
    ...lines.flatMap((line) => wrap(line, width() - 3)).map((line) => paint('dim', `  ${line}`)),
    paint('dim', `  ${folder}`),
    paint('dim', `  see it live:  ${command({ runsDir: dirname(folder) }, 'ui', basename(folder))}\n`),
  ];
}

const STAND_IN = 'The scripted engine is a stand-in without neural networks: the loop is real, the players are tables.';
const NEW_MODELS =
  'An agent and the simulator that writes its tasks, two small transformers, learn from each other on this machine.';

/** Lines that are true of every machine: how long it takes is seen by the second of them. */
const LEARNING = [
  '  First both learn the language of their world from demonstrations: a minute or',
  '  two, once. Later runs with this seed and size find them in the cache.',
];

const learningLine = ({ learning, done, units }: PhaseProgress) =>
  `  learning the language: ${learning === 'agent' ? 'agent' : 'simulator'} ${done}/${units}`;

/** Without a terminal a line now and then shows that something happens. */
const isMilestone = ({ learning, done, units }: PhaseProgress) =>
  learning !== undefined && done > 0 && (done === units || done % Math.ceil(units / 4) === 0);

function progressLine(
  event: Extract<TrainEvent, { type: 'phase' | 'progress' }>,
  clock: Stopwatch,
  width: number,
): string {
  const rate = clock.perSecond();
  const speed = rate ? [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`] : [];
  const left = (seconds: number | undefined) => (seconds === undefined ? [] : [`${duration(seconds)} left`]);
  const bar = () => progressBar(event.units > 0 ? event.done / event.units : 1);
  if (event.learning) return fitted([learningLine(event), bar(), ...left(clock.leftInPhase()), ...speed], width);
  const { doing, unit } = PHASES[event.phase];
  const parts = [
    `  ${String(event.epoch).padEnd(5)}`,
    doing,
    ...(unit ? [bar(), `${event.done}/${event.units} ${unit}`] : []),
    ...(unit && rate ? speed : [duration(clock.inPhase())]),
    ...left(clock.left()),
    ...(event.type === 'progress' ? [spent(event.ledger)] : []),
  ];
  return fitted(parts, width);
}

/** What comes last is left out where the line is full. */
function fitted(parts: readonly string[], width: number): string {
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line}  ${part}`;
    if (line !== '' && textWidth(longer) > width) break;
    line = longer;
  }
  return line;
}

const TITLES = '  epoch  p̂ generated        in band  useful  solved/none   val  tokens    time';

function epochRow(
  { epoch, metrics }: Extract<TrainEvent, { type: 'epoch' }>,
  { curriculum }: Config,
  seconds: number,
): string {
  const rate = metrics['env/successRate'];
  const share = (key: string) => percent(metrics[key]);
  return [
    `  ${String(epoch).padEnd(5)}`,
    `${(rate?.toFixed(2) ?? NONE).padStart(4)} ${bandBar(rate, curriculum, 12)}`,
    share('env/bandShare').padStart(7),
    share('env/usefulShare').padStart(6),
    `${share('env/solvedShare').padStart(6)}/${share('env/unsolvedShare').padEnd(4)}`,
    decimal(metrics['val/successRate']).padStart(4),
    decimal(metrics['agent/responseTokens'], 1).padStart(6),
    duration(seconds).padStart(6),
  ].join('  ');
}
