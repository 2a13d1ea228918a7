/** `genenv control`: pause, stop or change a run that another process plays. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  type Change,
  type ControlAction,
  type ControlState,
  controlAnswer,
  controlState,
  isTunable,
  requestControl,
  TUNABLE,
} from '../control.ts';
import { checkExists, openReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { command, nextSteps } from './next-step.ts';
import { type CommonOptions, wholeNumber } from './options.ts';
import { findRun } from './run-folder.ts';
import { paint, say, sayJson } from './say.ts';
import { userName } from './user-name.ts';
import { visible } from './visible.ts';

export interface ControlCommandOptions extends CommonOptions {
  token?: string;
  who?: string;
  wait: string;
}

export async function control(
  name: string,
  verb: string | undefined,
  words: readonly string[],
  options: ControlCommandOptions,
): Promise<void> {
  const { run, folder, runsDir } = findRun(name, options);
  checkExists(folder);
  if (verb === undefined) return showState(run, folder, { ...options, runsDir });
  const actions = readActions(verb, words);
  for (const action of actions) if (action.kind === 'ban') checkStructure(folder, action.structure);
  const token = options.token ?? process.env.GENENV_CONTROL_TOKEN;
  if (!token) throw new UsageError('A request needs the token of the run: --token, or GENENV_CONTROL_TOKEN.');
  const who = options.who ?? userName();
  const waitMs = 1000 * wholeNumber('--wait', options.wait, 0);
  for (const action of actions) {
    const { id } = requestControl(folder, token, action, who);
    const answer = await answerTo(folder, id, waitMs);
    const status = answer === undefined ? 'sent' : answer.accepted ? 'accepted' : 'refused';
    const message = answer?.message ?? UNANSWERED[isPlayed(folder) ? 'played' : 'over'];
    if (options.json) sayJson({ run, id, action, status, message });
    else say(`  ${paint(status === 'refused' ? 'red' : 'green', status)}  ${visible(message)}`);
    if (status === 'refused') process.exitCode = 1;
  }
}

const SIMPLE = ['pause', 'resume', 'stop'] as const;

/** What was typed, as actions: `set` takes several. */
function readActions(verb: string, words: readonly string[]): ControlAction[] {
  const simple = SIMPLE.find((kind) => kind === verb);
  if (simple) {
    if (words.length > 0) throw new UsageError(`${simple} takes nothing more (got "${visible(words.join(' '))}").`);
    return [{ kind: simple }];
  }
  if (verb === 'ban') {
    // A structure of several words may come without quotes.
    return [{ kind: 'ban', structure: words.join(' ') }];
  }
  if (verb !== 'set') {
    throw new UsageError(
      `"${visible(verb)}" is no action. Actions: pause, resume, stop, set NAME=VALUE, ban STRUCTURE.`,
    );
  }
  if (words.length === 0) throw new UsageError(`Say what to set, such as alpha=0.4. Settings: ${TUNABLE.join(', ')}.`);
  return words.map(readSetting);
}

const SHOWN = 8;

/** Whoever mistypes a structure, or names none, is told which there are. */
function checkStructure(folder: string, structure: string): void {
  using reader = openReader(folder);
  const counts = new Map<string, number>();
  for (const head of reader.heads(['base', 'generated', 'teacher'], Number.MAX_SAFE_INTEGER)) {
    counts.set(head.structure, (counts.get(head.structure) ?? 0) + 1);
  }
  if (counts.has(structure)) return;
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  const what =
    structure === '' ? 'Say which structure to ban.' : `No task of the run has the structure "${structure}".`;
  const known = common.map(([name, count]) => `\n${String(count).padStart(7)}  ${visible(name)}`).join('');
  throw new UsageError(`${visible(what)} The most common are:${known}`);
}

function readSetting(word: string): ControlAction {
  const [path = '', text = ''] = word.split('=', 2);
  const setting = path.replace(/^curriculum\./, '');
  if (!isTunable(setting)) {
    throw new UsageError(`"${visible(path)}" can't be changed in a running run. Settings: ${TUNABLE.join(', ')}.`);
  }
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${setting} must be a number, as in ${setting}=0.4.`);
  return { kind: 'set', setting, value };
}

const UNANSWERED = {
  played: 'The run takes it up when the step in progress is done.',
  over: 'The run ended before it could take it up.',
};

const isPlayed = (folder: string) => !['notRunning', 'finished'].includes(controlState(folder).status);

async function answerTo(folder: string, id: string, waitMs: number): Promise<Answer | undefined> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    // Asked first: a run that ends has given its answers before.
    const isOver = Date.now() >= deadline || !isPlayed(folder);
    const answer = controlAnswer(folder, id);
    if (answer || isOver) return answer;
    await sleep(50);
  }
}

function showState(run: string, folder: string, options: ControlCommandOptions): void {
  const state = controlState(folder);
  if (options.json) sayJson({ run, ...state });
  else say('', ...page(run, state), ...nextSteps(nextStep(run, state, options)));
}

const STATUS: Record<ControlState['status'], string> = {
  running: 'is running and can be steered',
  paused: 'is paused',
  stopping: 'stops when its phase is over',
  off: 'is running without --control: it can be watched, not steered',
  notRunning: 'is not running',
  finished: 'is finished',
};

function page(run: string, state: ControlState): string[] {
  const head = `  ${paint('bold', visible(run))} ${STATUS[state.status]}`;
  if (!('settings' in state)) return [head];
  const { alpha, epochs, learningRate, banned } = state.settings;
  return [
    head,
    `  epochs ${epochs} · alpha ${alpha} · learning rates: agent ${learningRate.agent}, environment ${learningRate.environment}`,
    ...banned.map((structure) => `  banned: ${visible(structure)}`),
    ...state.changes.filter(({ inForce }) => !inForce).map((change) => `  waiting: ${waiting(change)}`),
  ];
}

function waiting(change: Change): string {
  const what =
    change.kind === 'ban' ? `ban ${visible(change.structure)}` : `${change.setting} ${change.old} → ${change.new}`;
  return `${what}, from epoch ${change.from.epoch} (${visible(change.who)})`;
}

function nextStep(run: string, { status }: ControlState, options: CommonOptions): [string, string] {
  switch (status) {
    case 'running':
    case 'stopping':
      return [command(options, 'control', run, 'pause'), 'hold it after the step in progress'];
    case 'paused':
      return [command(options, 'control', run, 'resume'), 'let it go on'];
    case 'finished':
      return [command(options, 'show', run), 'what it amounted to'];
    default:
      return [command(options, 'resume', run, '--control'), 'go on with it, and be able to steer it'];
  }
}
