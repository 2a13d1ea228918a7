import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileBenchmark } from '../benchmarks/file/index.ts';
import { callsOf, parseRequest } from '../benchmarks/toy/language.ts';
import { loadConfig } from '../config.ts';
import { tempFolder } from '../fixtures.ts';
import { readDraft } from '../policies/task-schema.ts';
import { Interrupted, UsageError } from './errors.ts';
import { printed } from './fixtures.ts';
import { init, writeFiles } from './init.ts';
import { type Answers, USUAL } from './init-answers.ts';
import { schemaFor } from './init-file.ts';
import { askAnswers } from './init-questions.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (options = {}) =>
  printed(() => init({ runsDir: 'runs', out: join(folder, 'run.yaml'), yes: true, ...options }));

describe('what init writes', () => {
  it('is a file that loads as the defaults, and the next two commands', async () => {
    const { stdout } = await run();
    const file = join(folder, 'run.yaml');
    expect(loadConfig({ file }).config).toEqual(loadConfig().config);
    expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server: \$schema=.*genenv\.schema\.json\n/);
    expect(stdout).toMatch(/Next: +genenv doctor .*run\.yaml.*\n +genenv train .*run\.yaml/);
  });

  it('names a schema that exists', async () => {
    await run({ out: join(folder, 'deep/er/run.yaml') });
    const [, schema = ''] = /schema=(.*)\n/.exec(readFileSync(join(folder, 'deep/er/run.yaml'), 'utf8')) ?? [];
    expect(JSON.parse(readFileSync(new URL(schema), 'utf8')).title).toBe('GenEnv run');
  });

  it('names it so that a project can be shared, where the package is part of the project', () => {
    expect(schemaFor('examples')).toBe('../schema/genenv.schema.json');
    expect(schemaFor('')).toBe('schema/genenv.schema.json');
  });

  const variants = ['genenv', 'genenv-random', 'genenv-static', 'teacher-offline', 'base'] as const;
  const answers: Answers[] = (['robust', 'quick', 'full', 'paper'] as const).flatMap((preset) =>
    variants.flatMap((variant) =>
      [null, 'seeds.jsonl', 'my tasks/#1: "x".jsonl', 'true', "it's\nodd\x1b"].map((seeds) => ({
        ...USUAL,
        preset,
        variant,
        seeds,
        epochs: 3,
        seed: 12,
      })),
    ),
  );
  it.each(answers)('loads as what was answered: $preset $variant $seeds', ({ seeds, ...given }) => {
    const file = join(folder, 'run.yaml');
    writeFiles(file, { seeds, ...given });
    const { config } = loadConfig({ file });
    expect(config).toMatchObject(given);
    expect(config.benchmark).toEqual(
      seeds === null ? { name: 'errands' } : { name: 'file', seeds: join(folder, seeds) },
    );
  });

  it('survives a file name that would end its comment', () => {
    const file = join(folder, 'a\nepochs: 99\n.yaml');
    writeFiles(file, USUAL);
    expect(loadConfig({ file }).config.epochs).toBe(USUAL.epochs);
  });

  it('brings seeds that are tasks, in the words the scripted engine knows', async () => {
    const { seeds } = writeFiles(join(folder, 'run.yaml'), { ...USUAL, seeds: 'seeds.jsonl' });
    expect(seeds).not.toBeNull();
    const tasks = await fileBenchmark({ seeds: join(folder, 'seeds.jsonl'), readDraft }).base();
    expect(tasks).toHaveLength(4);
    for (const { prompt, eval: spec } of tasks) {
      expect(spec).toEqual({ kind: 'toolCalls', target: callsOf(parseRequest(prompt[0]!.content)!) });
    }
  });
});

describe('what is there already', () => {
  it('is never overwritten', async () => {
    const file = join(folder, 'run.yaml');
    writeFileSync(file, 'epochs: 5\n');
    const { error } = await run();
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(/already exists.*--out/);
    expect(readFileSync(file, 'utf8')).toBe('epochs: 5\n');
  });

  it('as seeds is used as it is', () => {
    writeFileSync(join(folder, 'seeds.jsonl'), 'mine');
    expect(writeFiles(join(folder, 'run.yaml'), { ...USUAL, seeds: 'seeds.jsonl' }).seeds).toBeNull();
    expect(readFileSync(join(folder, 'seeds.jsonl'), 'utf8')).toBe('mine');
  });
});

it('with --json says which files it wrote', async () => {
  const { stdout } = await run({ json: true, yes: false });
  expect(JSON.parse(stdout)).toEqual({ config: join(folder, 'run.yaml'), seeds: null });
});

describe('the questions', () => {
  /** Types one key after another, each once the question before it is on the screen. */
  async function typed(...keys: string[]): Promise<Answers> {
    const input = Object.assign(new PassThrough(), { isTTY: false, setRawMode: () => input });
    const output = Object.assign(new PassThrough(), { columns: 100, rows: 40, isTTY: false });
    output.resume();
    const asking = askAnswers({ input, output });
    for (const key of keys) {
      await new Promise((soon) => setTimeout(soon, 20));
      input.write(key);
    }
    return asking;
  }
  const enter = '\r';
  const down = '\x1b[B';

  it('answered with Enter are the defaults', async () => {
    expect(await typed(enter, enter, enter, enter, enter)).toEqual(USUAL);
  });

  it('take other answers, and check numbers as the loader does', async () => {
    const erase = '\x7f'.repeat(2);
    const paper = [down, down, down, enter];
    const keys = [down, enter, enter, ...paper, down, down, enter, erase, 'x', enter, '\x7f', '25', enter, enter];
    expect(await typed(...keys)).toEqual({
      seeds: 'seeds.jsonl',
      preset: 'paper',
      variant: 'genenv-static',
      epochs: 25,
      seed: 1,
    });
  });

  it('end with Ctrl-C, and nothing is written', async () => {
    await expect(typed(enter, '\x03')).rejects.toBeInstanceOf(Interrupted);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(join(folder, 'run.yaml'))).toBe(false);
  });
});
