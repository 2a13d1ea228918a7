import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { taskId } from '../../core/content-id.ts';
import { readDraft } from '../../policies/task-schema.ts';
import { fileBenchmark, TaskFileError } from './index.ts';

function file(content: string | Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'genenv-tasks-')), 'seeds.jsonl');
  writeFileSync(path, content);
  return path;
}

const FRANCE = '{"prompt":"Capital of France?","eval":{"kind":"text","target":"Paris","metric":"exact"}}';
const ITALY = '{"prompt":"Capital of Italy?","eval":{"kind":"text","target":"Rome"},"features":{"length":3}}';
const RING =
  '{"prompt":[{"role":"system","content":"Act."},{"role":"user","content":"Ring."}],"tools":[{"name":"ring"}],"eval":{"kind":"toolCalls","target":[{"name":"ring","arguments":{"n":1}}],"order":"any"}}';

const read = (content: string | Uint8Array, options: { baseTasks?: number } = {}) =>
  fileBenchmark({ seeds: file(content), readDraft, ...options }).base();

const problem = async (content: string | Uint8Array) => {
  const seeds = file(content);
  const error = await fileBenchmark({ seeds, readDraft })
    .base()
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(TaskFileError);
  return (error as Error).message.replaceAll(seeds, 'seeds.jsonl');
};

describe('a task file', () => {
  it('is read line by line into tasks with an identity', async () => {
    const [france, italy, ring] = await read(`${FRANCE}\n${ITALY}\n${RING}\n`);
    expect(france).toMatchObject({
      id: taskId(france!),
      seedId: null,
      rootId: france!.id,
      origin: 'base',
      epoch: 0,
      prompt: [{ role: 'user', content: 'Capital of France?' }],
      tools: [],
      eval: { kind: 'text', target: 'Paris', metric: 'exact' },
      features: {},
    });
    expect(italy).toMatchObject({ eval: { metric: 'f1' }, features: { length: 3 } });
    expect(ring).toMatchObject({
      prompt: [{ role: 'system' }, { role: 'user' }],
      tools: [{ name: 'ring', description: '', parameters: { type: 'object' } }],
      eval: { kind: 'toolCalls', target: [{ name: 'ring', args: { n: 1 } }], order: 'any' },
    });
    expect(ring!.structure).not.toBe(france!.structure);
  });

  it.each([
    ['blank lines', `\n${FRANCE}\n\n  \n${ITALY}\n\n`],
    ['lines that end in CRLF', `${FRANCE}\r\n${ITALY}\r\n`],
    ['a byte order mark', `\ufeff${FRANCE}\n${ITALY}`],
    ['no line break at the end', `${FRANCE}\n${ITALY}`],
    ['the same task twice, which is one task', `${FRANCE}\n${ITALY}\n${FRANCE}`],
    [
      'the same task in another spelling',
      `${FRANCE}\n${ITALY}\n{"eval":{"target":"Paris","metric":"exact","kind":"text"},"prompt":[{"content":"Capital of France?","role":"user"}]}`,
    ],
  ])('may have %s', async (_, content) => {
    const tasks = await read(content);
    expect(tasks.map((t) => t.prompt[0]!.content)).toEqual(['Capital of France?', 'Capital of Italy?']);
  });

  it('is used up to a number of tasks', async () => {
    expect(await read(`${FRANCE}\n${ITALY}\n${RING}`, { baseTasks: 2 })).toHaveLength(2);
    expect(await read(`${FRANCE}\n${ITALY}`, { baseTasks: 9 })).toHaveLength(2);
  });

  it('keeps letters of every script', async () => {
    const [task] = await read('{"prompt":"首都は？ 😀","eval":{"kind":"text","target":"東京"}}');
    expect(task!.prompt[0]!.content).toBe('首都は？ 😀');
  });
});

describe('a problem is told at its place', () => {
  it('a line that is not JSON', async () => {
    expect(await problem(`${FRANCE}\n\n{"prompt":`)).toMatch(/^seeds\.jsonl:3 {2}not JSON: ./);
  });

  it('a line that is not a task', async () => {
    expect(await problem(`${FRANCE}\n{"prompt":"x","eval":{"kind":"text","target":3}}`)).toMatch(
      /^seeds\.jsonl:2 {2}eval\.target: ./,
    );
    expect(await problem('[]')).toMatch(/^seeds\.jsonl:1 {2}./);
    expect(await problem('"text"')).toMatch(/^seeds\.jsonl:1 {2}./);
    expect(await problem('{"prompt":"x"}')).toMatch(/^seeds\.jsonl:1 {2}eval: ./);
  });

  it('a script eval, which needs the sandbox', async () => {
    expect(await problem(`${FRANCE}\n{"prompt":"x","eval":{"kind":"script","source":"exit"}}`)).toBe(
      'seeds.jsonl:2  eval.kind script needs the sandbox, which this version does not have. Use toolCalls, json or text.',
    );
  });

  it('a file that is not UTF-8', async () => {
    const latin1 = Buffer.from(FRANCE.replace('France', 'Österreich'), 'latin1');
    expect(await problem(latin1)).toBe('seeds.jsonl is not valid UTF-8. Save it as UTF-8.');
    expect(await problem(Buffer.from(`\ufeff${FRANCE}`, 'utf16le'))).toContain('seeds.jsonl');
  });

  it.each(['', '\n \n', '\ufeff'])('a file without a task: %j', async (content) => {
    expect(await problem(content)).toBe(
      'seeds.jsonl holds no task. Write one JSON object a line: {"prompt", "tools", "eval"}.',
    );
  });

  it('a file that is not there, or is a folder', async () => {
    const missing = fileBenchmark({ seeds: '/nowhere/seeds.jsonl', readDraft });
    await expect(missing.base()).rejects.toThrow(
      new TaskFileError(
        'Cannot read the task file /nowhere/seeds.jsonl: no such file. Check benchmark.seeds, benchmark.validation and benchmark.test.',
      ),
    );
    const folder = fileBenchmark({ seeds: tmpdir(), readDraft });
    await expect(folder.base()).rejects.toThrow(/Cannot read the task file .*EISDIR/);
  });
});

describe('held-out tasks', () => {
  const withValidation = (seeds: string, validation: string, baseTasks?: number) =>
    fileBenchmark({
      seeds: file(seeds),
      validation: file(validation),
      readDraft,
      ...(baseTasks === undefined ? {} : { baseTasks }),
    });

  it('are none without a file', async () => {
    expect(await fileBenchmark({ seeds: file(FRANCE), readDraft }).validation()).toEqual([]);
  });

  it('are read from their own file, all of them', async () => {
    const held = await withValidation(FRANCE, `${ITALY}\n${RING}`, 1).validation();
    expect(held.map((t) => t.origin)).toEqual(['validation', 'validation']);
  });

  it('that are also trained on are refused with their line', async () => {
    const both = withValidation(`${FRANCE}\n${ITALY}`, `${RING}\n${ITALY}`);
    await expect(both.validation()).rejects.toThrow(/seeds\.jsonl:2 {2}this task is also in .*must not be trained on/);
    const unused = withValidation(`${FRANCE}\n${ITALY}`, `${RING}\n${ITALY}`, 1);
    expect(await unused.validation()).toHaveLength(2);
  });

  it('of the test split are in no other file', async () => {
    const split = (seeds: string, validation: string, test: string) =>
      fileBenchmark({ seeds: file(seeds), validation: file(validation), test: file(test), readDraft }).test!();
    expect((await split(FRANCE, ITALY, RING)).map((t) => t.origin)).toEqual(['test']);
    await expect(split(FRANCE, ITALY, FRANCE)).rejects.toThrow('must not be trained on');
    await expect(split(FRANCE, ITALY, ITALY)).rejects.toThrow('can be in one split only');
  });
});
