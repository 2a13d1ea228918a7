import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../core/types.ts';
import { loadRows, type Row } from './data.ts';
import { asWritten } from './environment.ts';
import { folderOf, manyRows, rowOf } from './fixtures.ts';
import { apiBankBenchmark } from './index.ts';
import { splitDialogues } from './splits.ts';

const ROWS = manyRows();
const benchmark = apiBankBenchmark({ data: folderOf(ROWS) });
const [base, validation, test] = await Promise.all([benchmark.base(), benchmark.validation(), benchmark.test!()]);

const dialoguesOf = (tasks: Task[], rows: Row[]) => {
  const byText = new Map(rows.map((row) => [`${row.system}${row.user}`, row.dialogue]));
  return new Set(tasks.map(({ prompt }) => byText.get(prompt.map(({ content }) => content).join(''))!));
};

describe('the splits', () => {
  it('share no dialogue, and are as large on every level as they should be', () => {
    const sets = [base, validation, test].map((tasks) => dialoguesOf(tasks, ROWS));
    expect(sets.map((set) => set.size)).toEqual([18, 6, 36]);
    expect(new Set(sets.flatMap((set) => [...set])).size).toBe(60);
    for (const level of ['1', '2', '3'])
      expect(sets.map((set) => [...set].filter((name) => name.startsWith(level)).length)).toEqual([6, 2, 12]);
  });

  it('do not depend on the order of the rows', () => {
    expect(splitDialogues(ROWS.toReversed())).toEqual(new Map(splitDialogues(ROWS)));
  });

  it('give the same tasks every time, and as few base tasks as asked for', async () => {
    const few = apiBankBenchmark({ data: folderOf(ROWS), baseTasks: 5 });
    expect(await few.base()).toEqual(base.slice(0, 5));
    expect(new Set(base.slice(0, 8).map((task) => benchmark.stratum!(task))).size).toBe(3);
  });

  it('train on nothing that cannot be answered, and on equal rows once', async () => {
    const tools = [{ name: 'Other', description: 'x', parameters: {} }];
    const broken = ROWS.map((row, i) =>
      i % 2 === 0 ? rowOf(row.level, i, { tools, file: row.dialogue.slice(2) }) : row,
    );
    const twice = [...broken, ...broken];
    const tasks = await apiBankBenchmark({ data: folderOf(twice) }).base();
    expect(tasks).toHaveLength(18);
  });
});

describe('what the simulator writes', () => {
  const copyOf = (task: Task) => benchmark.read!(JSON.stringify(asWritten(task)), base[0]!);

  it('is refused where it says what a held-out row says, in whatever capitals', () => {
    const fair = [...validation, ...test].filter((task) => benchmark.stratum!(task) === 'level 1');
    for (const task of fair) expect(copyOf(task)).toEqual({ problem: 'the dialogue is one that is held out' });
    const loud = JSON.stringify(asWritten(fair[0]!)).replace('people, May', 'people; MAY');
    expect(benchmark.read!(loud, base[0]!)).toEqual({ problem: 'the dialogue is one that is held out' });
    const trained = base.find((task) => benchmark.stratum!(task) === 'level 1' && task !== base[0])!;
    expect(copyOf(trained)).not.toHaveProperty('problem');
  });
});

describe('a task', () => {
  it('is the two messages of the protocol, with no tools announced again', () => {
    for (const task of [...base, ...validation, ...test]) {
      expect(task.prompt.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(task.tools).toEqual([]);
      expect(task.eval).toMatchObject({ kind: 'world', world: 'api-bank' });
      expect(task).toMatchObject({ seedId: null, rootId: task.id, epoch: 0 });
    }
  });

  it('has measures, a shape in words and a stratum', () => {
    const tasks = [...base, ...validation, ...test];
    const later = tasks.find((task) => task.features.callsBefore === 1)!;
    expect(later.features).toMatchObject({ tools: 2, turns: 2, parameters: 1 });
    expect(later.structure).toMatch(/^level[123] calls:Invite tools2 turns2 parameters1 afterCalls$/);
    expect(new Set(tasks.map((task) => benchmark.stratum!(task)))).toEqual(new Set(['level 1', 'level 2', 'level 3']));
  });

  it('of another form has neither, and no world', () => {
    const strange: Task = {
      ...base[0]!,
      prompt: [{ role: 'user', content: 'Hi.' }],
      eval: { kind: 'json', target: 1 },
    };
    expect(benchmark.features!(strange)).toEqual({});
    expect(benchmark.stratum!(strange)).toBe('level unknown');
    expect(benchmark.session!(strange)).toBeUndefined();
  });

  it('is over at the first reply, which is judged officially', () => {
    const [task] = base as [Task];
    const gold = JSON.stringify((task.eval as { goal: unknown }).goal);
    const session = benchmark.session!(task)!;
    if (!('say' in session)) throw new Error('not a world of text');
    expect(session.say('anything')).toEqual({ content: '', done: true });
    expect(session.judge(`<tool_call>\n{}\n${gold}\n</tool_call>`)).toBe(1);
    expect(session.judge('<tool_call>\n{}\n</tool_call>')).toBe(0);
    expect(session.judge(null)).toBe(0);
    const strict = apiBankBenchmark({ data: 'nowhere', protocol: 'strict' }).session!(task)!;
    expect(strict.judge!(`<tool_call>\n{}\n${gold}\n</tool_call>`)).toBe(0);
    expect(strict.judge!(gold)).toBe(1);
  });
});

it('without data says how to get it', async () => {
  await expect(apiBankBenchmark({ data: 'nowhere' }).base()).rejects.toThrow('genenv data pull api-bank');
});

describe.skipIf(!process.env.GENENV_DATA)('the data (needs GENENV_DATA)', () => {
  it('splits into 188, 66 and 343 rows, of which some are equal or unanswerable', async () => {
    const rows = await loadRows(join(process.env.GENENV_DATA!, 'api-bank'));
    const splits = splitDialogues(rows);
    const count = (split: string) => rows.filter((row) => splits.get(row.dialogue) === split).length;
    const whole = apiBankBenchmark({ data: join(process.env.GENENV_DATA!, 'api-bank') });
    const tasks = await Promise.all([whole.base(), whole.validation(), whole.test!()]);
    expect(['base', 'validation', 'test'].map(count)).toEqual([188, 66, 343]);
    expect(tasks.map((list) => list.length)).toEqual([181, 66, 337]);
    const ids = tasks.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
