/** `genenv show <run>`: a run on one page. */
import { settingText } from '../config.ts';
import { inBand } from '../core/curriculum.ts';
import type { RunReader } from '../store/index.ts';
import { bandBar } from './bars.ts';
import { type Field, fields } from './fields.ts';
import { count, counted, decimal, fileSize, moment, NONE, percent, place } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { type RunReport, reportOf } from './run-report.ts';
import { paint, say, sayJson, terminalWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { wrap } from './text-width.ts';
import { brief, visible } from './visible.ts';

export function showRun(run: string, reader: RunReader, options: CommonOptions): void {
  const report = reportOf(run, reader);
  if (options.json) sayJson(report);
  else say(...page(report, options));
}

function page(report: RunReport, options: CommonOptions): string[] {
  const width = terminalWidth();
  const rows = epochRows(report);
  return [
    '',
    ...header(report, width),
    '',
    ...(rows.length > 0
      ? [...table(columnsFor(report), rows, width), ...legend(report, width)]
      : ['  No epoch is over yet.']),
    '',
    ...fields(facts(report), width),
    ...nextStep(report, options),
  ];
}

function header(report: RunReport, width: number): string[] {
  const { run, status, epochs, at, variant, benchmark, engine, preset, seed, createdAt, changed } = report;
  const state = { finished: 'finished', stopped: `stopped at ${place(at)}`, running: `running now, ${place(at)}` }[
    status
  ];
  const soft = (text: string) => wrap(text, width - 2).map((line) => paint('dim', `  ${line}`));
  return [
    `  ${paint('bold', visible(run))}   ${state}   ${epochs.done} of ${counted(epochs.of, 'epoch')}`,
    ...wrap(`${variant} · ${benchmark} · ${engine} engine · preset ${preset} · seed ${seed}`, width - 2).map(
      (line) => `  ${line}`,
    ),
    ...(changed.length > 0 ? soft(`changed from the preset: ${changed.map(change).join(' · ')}`) : []),
    ...soft(`created ${moment(createdAt)} ${madeWith(report)}`.trimEnd()),
    ...(engine === 'scripted'
      ? soft('The scripted engine stands in for neural networks: the loop is real, the players are tables.')
      : []),
  ];
}

function madeWith({ version, git }: RunReport): string {
  const by = version === null ? '' : `by GenEnv ${visible(version)}`;
  return git === null ? by : `${by}, at commit ${visible(git.commit.slice(0, 12))}${git.clean ? '' : ' with changes'}`;
}

function change({ setting, value, preset }: RunReport['changed'][number]): string {
  const was = preset === null ? '' : ` (not ${visible(settingText(preset))})`;
  return `${setting} ${value === null ? 'unset' : visible(settingText(value))}${was}`;
}

type EpochRow = RunReport['epochTable'][number];

/** Before training there is only validation, and not even that without held-out tasks. */
const epochRows = ({ epochTable }: RunReport) =>
  epochTable.filter(
    ({ epoch, metrics }) => epoch > 0 || Object.keys(metrics).some((key) => !key.startsWith('ledger/')),
  );

function columnsFor({ config: { curriculum } }: RunReport): Column<EpochRow>[] {
  const share = (key: string) => (row: EpochRow) => percent(row.metrics[key]);
  const number = (key: string, digits: number) => (row: EpochRow) => decimal(row.metrics[key], digits);
  const right = { align: 'right' } as const;
  return [
    { title: 'epoch', cell: ({ epoch }) => String(epoch), ...right },
    {
      title: 'p̂ on generated',
      cell: ({ metrics: { 'env/successRate': rate } }) =>
        `${decimal(rate).padStart(4)} ${bandBar(rate, curriculum, 10)}`,
      paint: (text, { metrics: { 'env/successRate': rate } }) =>
        rate !== undefined && inBand(rate, curriculum) ? paint('green', text) : text,
    },
    { title: 'band', cell: share('env/bandShare'), ...right },
    { title: 'useful', cell: share('env/usefulShare'), ...right },
    {
      title: 'none/all',
      cell: ({ metrics }) =>
        metrics['env/solvedShare'] === undefined
          ? NONE
          : `${whole(metrics['env/unsolvedShare'])}/${percent(metrics['env/solvedShare'])}`,
      ...right,
      drop: 1,
    },
    { title: 'diverse', cell: number('env/diversity', 2), ...right, drop: 3 },
    { title: 'kept', cell: share('env/keptShare'), ...right, drop: 2 },
    { title: 'reject', cell: share('env/rejectedShare'), ...right, drop: 4 },
    { title: 'env KL', cell: ({ metrics }) => environmentKl(metrics), drop: 5 },
    { title: 'val', cell: number('val/successRate', 2), ...right },
    { title: 'tokens', cell: number('agent/responseTokens', 1), ...right, drop: 6 },
  ];
}

const whole = (share = 0) => Math.round(100 * share);

/** A step scale of 0 is an update that the cap refused altogether. */
function environmentKl({ 'env/kl': kl, 'env/stepScale': scale }: Record<string, number>): string {
  if (kl === undefined) return NONE;
  return scale === undefined || scale === 1 ? decimal(kl, 3) : `${decimal(kl, 3)} ×${scale}`;
}

function legend({ config: { curriculum } }: RunReport, width: number): string[] {
  const { alpha, kMin } = curriculum;
  const text =
    `band: tasks with p̂ in ${decimal(alpha - kMin)}–${decimal(alpha + kMin)} · useful: tasks both solved and failed · ` +
    'none/all: tasks never and always solved · diverse: evenness of task shapes · kept: by the filter · ' +
    'env KL: to the initial simulator, × the share of the step its cap allowed · tokens: per rollout';
  return wrap(text, width - 2).map((line) => paint('dim', `  ${line}`));
}

/** The last few; all of them are in the JSON. */
const NOTES_SHOWN = 8;

function facts(report: RunReport): Field[] {
  const { pools, ledger, rejections, notes, checkpoints, files } = report;
  const more = notes.length - NOTES_SHOWN;
  return [
    [
      'pools',
      [
        `${counted(pools.agent, 'task')} for the agent · ${counted(pools.environment, 'generation')} for the environment`,
      ],
    ],
    [
      'rejected',
      [
        `${count(ledger.rejectedGenerations)} of ${counted(ledger.generations, 'generation')}${rejections.length > 0 ? ':' : ''}`,
        ...rejections.map(({ reason, count: n, example }) => `${reason} ${count(n)}, such as ${example}`),
      ],
    ],
    [
      'spent',
      [
        `${counted(ledger.rollouts, 'rollout')} on ${counted(ledger.tasks, 'task')} (${count(ledger.invalidRollouts)} not evaluable) · ` +
          `${counted(ledger.validationRollouts, 'held-out rollout')}`,
        `${counted(ledger.agentTokens, 'agent token')} · ${counted(ledger.environmentTokens, 'environment token')}`,
      ],
    ],
    [
      'notes',
      [
        ...(more > 0 ? [`${count(more)} earlier ones are in --json`] : []),
        ...notes
          .slice(-NOTES_SHOWN)
          .map(({ epoch, kind, detail }) => `epoch ${epoch}  ${visible(kind)}  ${brief(detail)}`),
      ],
    ],
    [
      'checkpoints',
      checkpoints.map(
        ({ player, ref, sha256, epoch }) =>
          `${player.padEnd(11)}  ${visible(ref)}  ${sha256.slice(0, 12)}  epoch ${epoch}`,
      ),
    ],
    ['files', files.map(({ path, bytes }) => visible(path) + (bytes === null ? '/' : `  ${fileSize(bytes)}`))],
  ];
}

function nextStep({ run, status, rejections }: RunReport, options: CommonOptions): string[] {
  const resume = [command(options, 'resume', run), 'go on where it was stopped'] as const;
  const first = rejections[0];
  return nextSteps(
    ...(status === 'stopped' ? [resume] : []),
    [command(options, 'show', run, '--tasks'), 'its newest tasks, and their ids'],
    ...(first ? [[command(options, 'show', run, first.example), 'a generation that was rejected'] as const] : []),
    [command(options, 'export', run), 'tasks, traces and metrics as files'],
  );
}
