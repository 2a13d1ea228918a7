import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextWorld } from '../../core/benchmark.ts';
import { KITCHEN } from './fixtures.ts';
import type { Goal } from './goal.ts';
import { alfworldBenchmark } from './index.ts';
import { recordOf } from './tasks.ts';

const GOALS: Goal[] = [
  { kind: 'place', object: 'knife', receptacle: 'drawer' },
  { kind: 'look', object: 'mug', lamp: 'desklamp' },
  { kind: 'clean', object: 'mug', receptacle: 'cabinet' },
  { kind: 'heat', object: 'egg', receptacle: 'fridge' },
  { kind: 'cool', object: 'egg', receptacle: 'microwave' },
  { kind: 'two', object: 'mug', receptacle: 'fridge' },
];

let data = '';
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'genenv-alfworld-'));
  const rows = (split: string, trials: number) =>
    GOALS.flatMap((goal) =>
      Array.from({ length: trials }, (_, trial) =>
        JSON.stringify({ ...KITCHEN, id: `${goal.kind}/${split}${trial}`, split, goal }),
      ),
    );
  await writeFile(join(data, 'train_sample.worlds.jsonl'), rows('train', 4).join('\n'));
  await writeFile(join(data, 'valid_seen.worlds.jsonl'), rows('valid_seen', 10).join('\n'));
  await writeFile(join(data, 'valid_unseen.worlds.jsonl'), rows('valid_unseen', 3).join('\n'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

describe('the benchmark', () => {
  it('trains on training games of all kinds in turn, and never on what it is judged by', async () => {
    const benchmark = alfworldBenchmark({ data, baseTasks: 12 });
    const [base, validation, test] = await Promise.all([benchmark.base(), benchmark.validation(), benchmark.test!()]);
    expect(base.map((task) => recordOf(task).goal.kind).slice(0, 7)).toEqual([
      'place',
      'look',
      'clean',
      'heat',
      'cool',
      'two',
      'place',
    ]);
    expect([base.length, validation.length, test.length]).toEqual([12, 48, 12 + 18]);
    const ids = [...base, ...validation, ...test].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(test.filter((task) => recordOf(task).id.includes('unseen'))).toHaveLength(18);
  });

  it('says how hard a game is, and does not give its walkthrough away', async () => {
    const benchmark = alfworldBenchmark({ data });
    const [task] = await benchmark.base();
    expect(task).toMatchObject({ features: { plan: 5, receptacles: 7, doors: 5 }, structure: 'place plan5 small' });
    expect(benchmark.stratum!(task!)).toBe('5–6 steps');
    expect(JSON.stringify(task)).not.toContain('walkthrough');
  });

  it('plays turn by turn: replies are read, wrong ones cost a turn, and a win ends it', async () => {
    const benchmark = alfworldBenchmark({ data });
    const [task] = await benchmark.base();
    const { say, judge } = benchmark.session!(task!) as TextWorld;
    const replies = [
      'Let me see.\nAction: Go to countertop 1.',
      '<action>fly</action>',
      'pick up knife 1 from countertop 1',
      '> go to drawer 1',
      'open drawer 1',
    ];
    const seen = await Promise.all(replies.map((reply) => say(reply)));
    expect(seen[1]).toEqual({ content: 'Nothing happens.', done: false });
    expect(judge('')).toBe(0);
    expect(await say('put knife 1 in/on drawer 1')).toEqual({
      content: 'You move the knife 1 to the drawer 1.',
      done: true,
    });
    expect(judge('')).toBe(1);
  });

  it('speaks the old dialect where it is told to', async () => {
    const benchmark = alfworldBenchmark({ data, dialect: 'old' });
    const [task] = await benchmark.base();
    expect(task!.prompt[0]!.content).toContain('put OBJECT in/on PLACE');
    const { say } = benchmark.session!(task!) as TextWorld;
    expect((await say('go to drawer 1')).content).toBe('You arrive at loc 5. The drawer 1 is closed.');
  });

  it('refuses a session for a task that is none of its games', async () => {
    const benchmark = alfworldBenchmark({ data });
    const [task] = await benchmark.base();
    expect(() => benchmark.session!({ ...task!, eval: { kind: 'text', target: '', metric: 'exact' } })).toThrow(
      'no game',
    );
    expect(() => benchmark.session!({ ...task!, eval: { kind: 'world', world: 'alfworld', goal: {} } })).toThrow(
      'id: expected',
    );
  });
});
