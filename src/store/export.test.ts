import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import type { Writes } from '../core/journal.ts';
import { type ExportOptions, exportRun } from './export.ts';
import { EXPORT_TABLES, type ExportTable, exportTable } from './export-tables.ts';
import {
  at,
  newJournal,
  sampleGeneration,
  sampleGroup,
  sampleTask,
  sampleTrace,
  tempFolder,
  variation,
} from './fixtures.ts';

const hostile = 'NUL \0, bell \u0007, half \ud800, "quotes" \\ud800, line\nend, 😀 漢';
const healed = hostile.replace('\ud800', '\ufffd');

const base = sampleTask('base-0', { prompt: [{ role: 'user', content: hostile }] });
const a = variation('a', 1);
const turns = sampleTrace(0).turns;
const broken = sampleTrace(1, { turns: [], messages: [], answer: null, valid: false, stop: 'error', error: hostile });
const content: Writes = {
  tasks: [base],
  generations: [
    sampleGeneration('1.0.0', a, { text: hostile, context: [{ role: 'user', content: hostile }] }),
    sampleGeneration('1.0.1', null),
  ],
  groups: [
    {
      epoch: 1,
      role: 'fresh',
      task: a,
      traces: [
        sampleTrace(0, {
          messages: [{ role: 'assistant', content: hostile, tokens: turns[0]!.tokens }],
          turns: [...turns, ...turns],
          answer: { said: hostile },
          reward: 1 / 3,
        }),
        broken,
      ],
    },
  ],
  scores: [
    { generationId: '1.0.0', taskId: 'a', successRate: 0.5, envReward: 1, kept: true, weight: 0.1 + 0.2 },
    { generationId: '1.0.1', taskId: null, successRate: 0, envReward: 0, kept: false, weight: 0 },
  ],
  quarantine: [{ taskId: 'a', epoch: 1, reason: hostile }],
  metrics: [{ key: 'env/successRate', epoch: 1, step: 0, value: 0.1 }],
};

type Row = Record<string, unknown>;

/** Both formats as plain objects: what JSONL holds as a value, Parquet holds as JSON text. */
async function readBack(file: string, table: ExportTable): Promise<Row[]> {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  if (file.endsWith('.jsonl')) return lines.map((line) => JSON.parse(line));
  const json = exportTable(table, true).columns.filter(({ type }) => type === 'json');
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
  return rows.map((row) => ({ ...row, ...Object.fromEntries(json.map(({ name }) => [name, JSON.parse(row[name])])) }));
}

async function exported(writes: Writes, options: ExportOptions): Promise<Record<ExportTable, Row[]>> {
  using journal = newJournal();
  journal.commit(at(1), writes);
  const files = exportRun(journal, tempFolder(), options);
  const tables = files.map(async ({ table, file, rows }) => {
    const back = await readBack(file, table);
    expect(back).toHaveLength(rows);
    return [table, back];
  });
  return Object.fromEntries(await Promise.all(tables));
}

for (const format of ['jsonl', 'parquet'] as const) {
  it(`writes ${format} that reads back as it was, with half a surrogate pair replaced`, async () => {
    const back = await exported(content, { format });
    expect(back.tasks.map(({ id }) => id)).toEqual(['base-0', 'a']);
    expect(back.tasks[0]).toEqual({ ...base, prompt: [{ role: 'user', content: healed }], quarantine: null });
    expect(back.tasks[1]).toEqual({ ...a, quarantine: healed });
    const [first, second] = back.traces as [Row, Row];
    expect(first).toEqual({
      epoch: 1,
      taskId: 'a',
      role: 'fresh',
      index: 0,
      policy: 'agent@1',
      reward: 1 / 3,
      success: false,
      valid: true,
      stop: 'answer',
      error: null,
      answer: { said: healed },
      messages: [{ role: 'assistant', content: healed }],
      promptIds: [Array.from(turns[0]!.prompt), Array.from(turns[0]!.prompt)],
      tokenIds: [Array.from(turns[0]!.tokens), Array.from(turns[0]!.tokens)],
      logprobs: [Array.from(turns[0]!.logprobs), Array.from(turns[0]!.logprobs)],
    });
    expect(second).toMatchObject({ index: 1, error: healed, answer: null, messages: [], tokenIds: [], stop: 'error' });
    expect(back['env-sft']).toEqual([
      {
        epoch: 1,
        generationId: '1.0.0',
        seedId: 'base-0',
        taskId: 'a',
        author: 'environment',
        context: [{ role: 'user', content: healed }],
        text: healed,
        weight: 0.1 + 0.2,
        successRate: 0.5,
        envReward: 1,
      },
    ]);
    expect(back.metrics).toEqual([{ key: 'env/successRate', epoch: 1, step: 0, value: 0.1 }]);
  });

  it(`writes ${format} of an empty run`, async () => {
    const back = await exported({}, { format });
    expect(back).toEqual({ tasks: [], traces: [], 'env-sft': [], metrics: [] });
  });

  it(`writes ${format} without tokens, and only the tables asked for`, async () => {
    const back = await exported(content, { format, tables: ['traces'], tokens: false });
    expect(Object.keys(back)).toEqual(['traces']);
    expect(back.traces[0]).not.toHaveProperty('tokenIds');
  });
}

it('cuts Parquet into row groups, so that memory does not grow with the table', async () => {
  using journal = newJournal();
  journal.commit(at(1), { groups: [sampleGroup(1, base, 'fresh', 4500)] });
  const out = tempFolder();
  exportRun(journal, out, { format: 'parquet', tables: ['traces'] });
  const file = await asyncBufferFromFile(join(out, 'traces.parquet'));
  expect((await parquetMetadataAsync(file)).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([
    2000, 2000, 500,
  ]);
  const rows = await parquetReadObjects({ file });
  expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: 4500 }, (_, i) => i));
});

it('leaves no partial file behind', () => {
  using journal = newJournal();
  journal.commit(at(1), content);
  const out = tempFolder();
  expect(() => exportRun(journal, out, { format: 'jsonl', tables: ['tasks', 'nothing' as ExportTable] })).toThrow();
  expect(readdirSync(out)).toEqual(['tasks.jsonl']);
});

it('documents every column', () => {
  const docs = readFileSync(new URL('../../docs/export.md', import.meta.url), 'utf8');
  for (const table of EXPORT_TABLES) {
    const section = docs.split(`## \`${table}\``)[1]?.split('\n## ')[0] ?? '';
    for (const { name } of exportTable(table, true).columns) expect(section, table).toContain(`| \`${name}\` |`);
  }
});
