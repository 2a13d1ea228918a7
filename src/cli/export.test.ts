import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playRun, tempFolder } from '../fixtures.ts';
import { UsageError } from './errors.ts';
import { type ExportCommandOptions, exportCommand } from './export.ts';
import { jsonLines, printed } from './fixtures.ts';

let runsDir: string;
beforeAll(async () => {
  runsDir = tempFolder();
  await playRun(join(runsDir, 'otter'), { epochs: 1 });
  await playRun(join(runsDir, 'seal'), { epochs: 1, seed: 2 });
});
afterAll(() => rmSync(runsDir, { recursive: true, force: true }));

const place = (name: string) => join(runsDir, 'out', name);
const exported = (out: string, options: Partial<ExportCommandOptions> = {}, run = 'otter') =>
  printed(() => exportCommand(run, { runsDir, format: 'jsonl', out: place(out), ...options }));

it('writes every table, counts the rows, and names the page that describes them', async () => {
  const { stdout, stderr } = await exported('all');
  for (const table of ['tasks', 'traces', 'env-sft', 'metrics']) {
    const rows = jsonLines(readFileSync(join(place('all'), `${table}.jsonl`), 'utf8')).length;
    expect(stdout).toMatch(new RegExp(`all/${table}\\.jsonl +${rows.toLocaleString('en')} +\\d`));
  }
  expect(stdout).toContain('docs/export.md');
  expect(stdout).toMatch(/Next: +genenv show otter/);
  expect(stderr).toContain('writing tasks, traces, env-sft, metrics to');
});

it('takes the tables asked for, and as JSON says what was written', async () => {
  const { stdout, stderr } = await exported('some', {
    tables: 'metrics, tasks',
    json: true,
    quiet: true,
    format: 'parquet',
  });
  expect(JSON.parse(stdout)).toMatchObject({
    run: 'otter',
    format: 'parquet',
    files: [{ table: 'tasks', file: join(place('some'), 'tasks.parquet') }, { table: 'metrics' }],
  });
  expect(stderr).toBe('');
});

it('brings an earlier export of the same run up to date, and leaves its other files', async () => {
  await exported('again', { tables: 'tasks' });
  writeFileSync(join(place('again'), 'tasks.jsonl'), 'stale');
  expect((await exported('again', { tables: 'tasks,metrics' })).error).toBeUndefined();
  expect(readFileSync(join(place('again'), 'tasks.jsonl'), 'utf8')).not.toBe('stale');
  const manifest = JSON.parse(readFileSync(join(place('again'), 'export.json'), 'utf8'));
  expect(manifest).toMatchObject({ run: 'otter', files: { 'tasks.jsonl': { table: 'tasks' }, 'metrics.jsonl': {} } });
});

it('refuses a folder with files of somebody else, and touches none of them', async () => {
  mkdirSync(place('mine'), { recursive: true });
  writeFileSync(join(place('mine'), 'tasks.jsonl'), 'my own tasks');
  const { error } = await exported('mine');
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toMatch(/not empty and not an earlier export.*--out/);
  expect(readFileSync(join(place('mine'), 'tasks.jsonl'), 'utf8')).toBe('my own tasks');
  expect(existsSync(join(place('mine'), 'export.json'))).toBe(false);

  writeFileSync(join(place('mine'), 'export.json'), '{"run": "otter"');
  expect((await exported('mine')).error).toBeInstanceOf(UsageError);
});

it('refuses the export of another run', async () => {
  await exported('others', { tables: 'metrics' });
  expect(String((await exported('others', { tables: 'metrics' }, 'seal')).error)).toMatch(
    /export of another run, otter/,
  );
});

it.each([
  ['task', /"task" is not a table\. Did you mean "tasks"\? Tables: tasks, traces, env-sft, metrics\./],
  ['tasks,zzzzzz', /"zzzzzz" is not a table\. Tables:/],
  [' , ', /--tables names no table/],
])('knows no table "%s"', async (tables, says) => {
  const { error } = await exported('none', { tables });
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toMatch(says);
  expect(existsSync(place('none'))).toBe(false);
});

it('takes a folder, not a file', async () => {
  mkdirSync(place(''), { recursive: true });
  writeFileSync(place('file'), '');
  expect(String((await exported('file')).error)).toMatch(/is a file\. Choose a folder with --out/);
});
