/** `genenv runs`: one row per run. A folder that can't be read is a row too, with the reason. */
import { statSync } from 'node:fs';
import { openReader } from '../store/index.ts';
import { count, fromTo, moment, NONE, place } from './format.ts';
import { command, nextSteps, USUAL_PLACE } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { type RunFolder, runFolders } from './run-folder.ts';
import { overviewOf, type RunOverview } from './run-overview.ts';
import { paint, say, sayJson, tableWidth, terminalWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { wrap } from './text-width.ts';
import { visible } from './visible.ts';

type Unreadable = RunFolder & { status: 'unreadable'; reason: string };
type Row = RunOverview | Unreadable;

export function runs(options: CommonOptions): void {
  const rows = runFolders(options.runsDir)
    .map(readRow)
    .sort((a, b) => age(a).localeCompare(age(b)) || a.run.localeCompare(b.run));
  if (options.json) for (const row of rows) sayJson(row);
  else if (rows.length === 0) say(...nothingYet(options));
  else say(...list(rows, options));
}

/** Oldest first. A damaged run can't say when it was created; its folder can. */
const age = (row: Row) =>
  (row.status !== 'unreadable' && row.createdAt) || statSync(row.folder).birthtime.toISOString();

function readRow({ run, folder }: RunFolder): Row {
  try {
    using reader = openReader(folder);
    return overviewOf(run, reader);
  } catch (error) {
    return { run, folder, status: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

function list(rows: readonly Row[], options: CommonOptions): string[] {
  const unreadable = rows.filter((row) => row.status === 'unreadable');
  return [
    '',
    ...table(COLUMNS, rows, tableWidth()),
    ...(unreadable.length > 0 ? ['', ...unreadable.flatMap(excuse)] : []),
    ...nextStep(rows, options),
  ];
}

/** A column of what only a readable run has. */
const known = (cell: (run: RunOverview) => string) => (row: Row) => (row.status === 'unreadable' ? NONE : cell(row));

const COLUMNS: readonly Column<Row>[] = [
  { title: 'run', cell: ({ run }) => visible(run), paint: (text) => paint('bold', text), shrinkTo: 16 },
  {
    title: 'status',
    cell: ({ status }) => (status === 'running' ? 'running now' : status),
    paint: (text, { status }) => paint(HUES[status], text),
  },
  { title: 'at', cell: (row) => (row.status === 'stopped' || row.status === 'running' ? place(row.at) : ''), drop: 2 },
  { title: 'epochs', cell: known(({ epochs }) => `${epochs.done}/${epochs.of}`), align: 'right' },
  { title: 'variant', cell: known(({ variant }) => variant), drop: 3 },
  { title: 'engine', cell: known(({ engine }) => engine), drop: 7 },
  { title: 'benchmark', cell: known(({ benchmark }) => benchmark), drop: 6 },
  { title: 'seed', cell: known(({ seed }) => String(seed)), align: 'right', drop: 5 },
  { title: 'p̂ generated', cell: known(({ generatedSuccess }) => fromTo(generatedSuccess)) },
  { title: 'validation', cell: known(({ validation }) => fromTo(validation)), drop: 1 },
  { title: 'rollouts', cell: known(({ ledger }) => count(ledger.rollouts)), align: 'right', drop: 4 },
  { title: 'created', cell: known(({ createdAt }) => moment(createdAt)), drop: 8 },
];

const HUES = { finished: 'green', running: 'cyan', stopped: 'yellow', unreadable: 'red' } as const;

const excuse = ({ run, reason }: Unreadable) =>
  wrap(`${visible(run)} can't be read: ${visible(reason)}`, terminalWidth() - 2).map((line) => `  ${line}`);

function nextStep(rows: readonly Row[], options: CommonOptions): string[] {
  const stopped = rows.findLast((row) => row.status === 'stopped');
  const last = rows.findLast((row) => row.status !== 'unreadable');
  const steps: [string, string][] = [];
  if (last) steps.push([command(options, 'show', last.run), 'its epochs, pools and costs']);
  if (stopped) steps.push([command(options, 'resume', stopped.run), 'go on where it was stopped']);
  if (steps.length === 0) steps.push([command(options, 'train'), 'start a new run']);
  return nextSteps(...steps);
}

function nothingYet(options: CommonOptions): string[] {
  return [
    '',
    `  There are no runs in ${visible(options.runsDir)} yet.`,
    ...nextSteps(
      [command(options, 'train'), 'co-evolve two players in the built-in world'],
      [command(USUAL_PLACE, 'init'), 'write a configuration of your own'],
    ),
  ];
}
