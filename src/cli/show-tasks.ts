/** `genenv show <run> --tasks`: the newest tasks that match, newest last. */
import type { Task } from '../core/types.ts';
import type { Passport, RunReader, TaskQuery, TaskRow } from '../store/index.ts';
import { count, counted, decimal, NONE } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import { wholeNumber } from './options.ts';
import { paint, say, sayJson, tableWidth } from './say.ts';
import { type Column, table } from './table.ts';
import type { Place } from './task-lookup.ts';
import { clip } from './text-width.ts';
import { visible } from './visible.ts';

export interface TaskFilter {
  search?: string;
  epoch?: string;
  limit?: string;
}

interface Row extends TaskRow {
  /** The last time it was attempted. */
  last: { epoch: number; successes: number; attempts: number } | null;
  pools: string[];
  quarantine: string | null;
  variations: number;
  prompt: Task['prompt'];
}

export function showTasks(reader: RunReader, { search, epoch, limit = '20' }: TaskFilter, place: Place): void {
  const most = wholeNumber('--limit', limit, 1);
  const query: TaskQuery = {
    ...(search === undefined ? {} : { search }),
    ...(epoch === undefined ? {} : { epoch: wholeNumber('--epoch', epoch, 0) }),
  };
  const { rows, found } = newest(reader, query, most);
  const tasks = rows.flatMap((row) => {
    const passport = reader.passport(row.id);
    return passport ? [asRow(row, passport)] : [];
  });
  if (place.json) for (const task of tasks) sayJson(task);
  else say(...(tasks.length === 0 ? nothingFound(query, place) : list(tasks, found, place)));
}

/** The reader pages forward from the oldest, so all heads pass by; only the last ones are kept. */
function newest(reader: RunReader, query: TaskQuery, most: number): { rows: TaskRow[]; found: number } {
  let rows: TaskRow[] = [];
  let found = 0;
  for (let after = 0; ; ) {
    const page = reader.tasks({ ...query, after, limit: 1000 });
    const last = page.at(-1);
    if (!last) return { rows, found };
    rows = [...rows, ...page].slice(-most);
    found += page.length;
    after = last.row;
  }
}

function asRow(row: TaskRow, { task, outcomes, pools, quarantine, variations }: Passport): Row {
  const tried = outcomes.findLast(({ attempts }) => attempts > 0);
  return {
    ...row,
    last: tried ? { epoch: tried.epoch, successes: tried.successes, attempts: tried.attempts } : null,
    pools: [...new Set(pools.map(({ pool }) => pool))],
    quarantine: quarantine?.reason ?? null,
    variations,
    prompt: task.prompt,
  };
}

const PROMPT_WIDTH = 120;

const COLUMNS: readonly Column<Row>[] = [
  { title: 'task', cell: ({ id }) => visible(id), paint: (text) => paint('bold', text), shrinkTo: 12 },
  { title: 'epoch', cell: ({ epoch }) => String(epoch), align: 'right' },
  { title: 'origin', cell: ({ origin }) => origin, drop: 1 },
  {
    title: 'p̂ last',
    cell: ({ last }) => (last ? `${decimal(last.successes / last.attempts)} ${last.successes}/${last.attempts}` : NONE),
  },
  { title: 'pool', cell: poolsOf },
  { title: 'prompt', cell: ({ prompt }) => clip(visible(firstWords(prompt)), PROMPT_WIDTH), shrinkTo: 24 },
];

function poolsOf({ pools, quarantine }: Row): string {
  if (quarantine !== null) return 'quarantine';
  return pools.map((pool) => (pool === 'environment' ? 'env' : pool)).join(' + ') || NONE;
}

/** What the task asks: the last thing the user says. Enough for any terminal, and no more. */
export function firstWords(prompt: Task['prompt']): string {
  const asked = prompt.findLast(({ role }) => role === 'user') ?? prompt.at(-1);
  return (asked?.content ?? '').slice(0, 400).replace(/\s+/g, ' ').trim();
}

function list(tasks: readonly Row[], found: number, place: Place): string[] {
  const last = tasks.at(-1)!;
  const left = found - tasks.length;
  const more = left > 0 ? `, the newest of ${count(found)} (--limit, --epoch and --search find the others)` : '';
  return [
    '',
    ...table(COLUMNS, tasks, tableWidth()),
    paint('dim', `  ${counted(tasks.length, 'task')}${more}`),
    ...nextSteps([command(place, 'show', place.run, last.id), 'its passport']),
  ];
}

function nothingFound(query: TaskQuery, place: Place): string[] {
  const isFiltered = Object.keys(query).length > 0;
  return [
    '',
    isFiltered ? '  No task matches.' : '  The run has no tasks yet.',
    ...nextSteps(
      isFiltered
        ? [command(place, 'show', place.run, '--tasks'), 'the newest tasks of all']
        : [command(place, 'show', place.run), 'where it stands'],
    ),
  ];
}
