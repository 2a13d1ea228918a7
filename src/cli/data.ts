/** `genenv data`: the benchmarks' data, which is not part of this package, onto this machine. */
import { checkContent, checkSize, type FileState, isMade } from '../data/check.ts';
import { dataFolder, isUsersOwn } from '../data/folder.ts';
import { type DataSet, pull } from '../data/pull.ts';
import { dataSetOf, EXAMINED, type ExaminedName } from '../exams.ts';
import { progressBar } from './bars.ts';
import { examined } from './chosen-exam.ts';
import { count, counted, duration, fileSize } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { pulling } from './pulling.ts';
import { paint, say, sayJson, tableWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { visible } from './visible.ts';

const chosen = (names: readonly string[]): readonly ExaminedName[] =>
  names.length === 0 ? EXAMINED : names.map(examined);

const bytesOf = ({ files }: DataSet) => files.reduce((sum, { bytes }) => sum + bytes, 0);

export async function pullData(names: readonly string[], options: CommonOptions): Promise<void> {
  const sets = await Promise.all(chosen(names).map(dataSetOf));
  const again = command(options, 'data', 'pull', ...names);
  await pulling(again, options, async ({ screen, dispatcher, signal }) => {
    for (const set of sets) {
      const folder = dataFolder(set.benchmark);
      const [total, started] = [bytesOf(set), performance.now()];
      const onProgress = (bytes: number) =>
        screen.move(() => progressLine(set.benchmark, bytes, total, (performance.now() - started) / 1000));
      const pulled = await pull(set, { folder, dispatcher, signal, onProgress });
      const what = pulled.fetched === 0 ? 'is here' : `pulled ${counted(pulled.fetched, 'file')}`;
      screen.say(`  ${set.benchmark.padEnd(14)} ${what}   ${fileSize(total)}   ${visible(folder)}`);
      if (options.json) sayJson({ benchmark: set.benchmark, folder, bytes: total, ...pulled });
    }
    const [first] = sets;
    if (first)
      for (const line of nextSteps([command(options, 'eval', first.benchmark, '--help'), 'examine a model']))
        screen.say(line);
  });
}

function progressLine(benchmark: string, bytes: number, total: number, seconds: number): string {
  const share = total > 0 ? bytes / total : 1;
  const left = share > 0 ? [`${duration((seconds * (1 - share)) / share)} left`] : [];
  return [`  ${benchmark.padEnd(14)}`, progressBar(share), `${fileSize(bytes)} of ${fileSize(total)}`, ...left].join(
    '  ',
  );
}

interface Row {
  benchmark: ExaminedName;
  folder: string;
  files: number;
  bytes: number;
  state: FileState | 'partly there';
  from: 'GENENV_DATA' | 'cache';
}

export async function listData(names: readonly string[], options: CommonOptions): Promise<void> {
  const rows = await Promise.all(chosen(names).map(rowOf));
  if (options.json) for (const row of rows) sayJson(row);
  else say('', ...table(COLUMNS, rows, tableWidth()), ...closing(rows, options));
}

async function rowOf(benchmark: ExaminedName): Promise<Row> {
  const set = await dataSetOf(benchmark);
  const folder = dataFolder(benchmark);
  return {
    benchmark,
    folder,
    files: set.files.length,
    bytes: bytesOf(set),
    state: await stateOf(set, folder),
    from: isUsersOwn() ? 'GENENV_DATA' : 'cache',
  };
}

async function stateOf(set: DataSet, folder: string): Promise<Row['state']> {
  const checked = await Promise.all(set.files.map((file) => checkSize(folder, file)));
  const states = new Set(checked.map(({ state }) => state));
  if (states.has('wrong')) return 'wrong';
  const made = await isMade(set, folder);
  if (set.made && made) return 'present';
  if (states.has('present') && (states.has('missing') || !made)) return 'partly there';
  return states.has('missing') ? 'missing' : 'present';
}

const HUES = { present: 'green', missing: 'dim', wrong: 'red', 'partly there': 'yellow' } as const;

const COLUMNS: readonly Column<Row>[] = [
  { title: 'benchmark', cell: ({ benchmark }) => benchmark, paint: (text) => paint('bold', text) },
  { title: 'files', cell: ({ files }) => count(files), align: 'right' },
  { title: 'size', cell: ({ bytes }) => fileSize(bytes), align: 'right' },
  { title: 'state', cell: ({ state }) => state, paint: (text, { state }) => paint(HUES[state], text) },
  { title: 'from', cell: ({ from }) => from, drop: 1 },
  { title: 'folder', cell: ({ folder }) => visible(folder), drop: 2, shrinkTo: 20 },
];

function closing(rows: readonly Row[], options: CommonOptions): string[] {
  const wrong = rows.find(({ state }) => state === 'wrong');
  const missing = rows.find(({ state }) => state === 'missing' || state === 'partly there');
  if (wrong) return nextSteps([command(options, 'data', 'verify', wrong.benchmark), 'what is wrong']);
  if (missing)
    return nextSteps([command(options, 'data', 'pull', missing.benchmark), 'fetch it from its public source']);
  return nextSteps([command(options, 'data', 'verify'), 'check every file by its checksum']);
}

/** Every file by its checksum. A bad one is named with what to do about it. */
export async function verifyData(names: readonly string[], options: CommonOptions): Promise<void> {
  const bad = new Set<ExaminedName>();
  for (const benchmark of chosen(names)) {
    const folder = dataFolder(benchmark);
    const set = await dataSetOf(benchmark);
    // A copy may hold what is made from the files without the files themselves; that has no checksum.
    const unchecked = set.made !== undefined && (await isMade(set, folder));
    for (const file of set.files) {
      const { state, path, problem } = await checkContent(folder, file);
      if (state === 'wrong' || (state === 'missing' && !unchecked)) bad.add(benchmark);
      if (options.json) sayJson({ benchmark, file: file.path, path, state, ...(problem ? { problem } : {}) });
      else if (problem)
        say(
          `  ${paint(HUES[state], state.padEnd(8))} ${visible(path)} ${problem}${unchecked ? '; what is made from it is there, unchecked' : ''}`,
        );
    }
    if (!options.json && !options.quiet && !bad.has(benchmark)) {
      say(`  ${paint('green', 'ok'.padEnd(8))} ${benchmark}   ${counted(set.files.length, 'file')}`);
    }
  }
  if (bad.size === 0) return;
  process.exitCode = 1;
  if (!options.json)
    say(...nextSteps([command(options, 'data', 'pull', ...bad), 'fetch what is missing or wrong anew']));
}
