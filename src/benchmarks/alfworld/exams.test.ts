import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { type Exam, LineError } from '../../core/exam.ts';
import type { Json, JsonObject, Message } from '../../core/types.ts';
import { DataError } from '../data.ts';
import { alfworldExams } from './exams.ts';
import { KITCHEN } from './fixtures.ts';
import { nextMove } from './seeker.ts';

const NOWHERE = '/nowhere/alfworld';
const kitchen = KITCHEN as unknown as Json;
const WALKTHROUGH = KITCHEN.walkthrough!;

let data = '';
let exams: Record<string, Exam> = {};
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'genenv-alfworld-'));
  for (const split of ['train', 'valid_seen', 'valid_unseen']) {
    const record = { ...KITCHEN, id: `kitchen/${split}`, split };
    await writeFile(join(data, `${split}.worlds.jsonl`), `${JSON.stringify(record)}\n`);
  }
  exams = alfworldExams({ data });
});
afterAll(() => rm(data, { recursive: true, force: true }));

const metrics = (exam: Exam, verdicts: Awaited<ReturnType<Exam['judge']>>[]) =>
  Object.fromEntries(exam.summarise(verdicts).map(({ name, n, score }) => [name, [n, score]]));

describe('the exam of steps', () => {
  it('asks for each step with what went before as turns', async () => {
    const { step } = exams;
    expect(await step!.ids()).toHaveLength(14);
    let shown: readonly Message[] = [];
    await step!.answer('kitchen/valid_unseen#3', async (messages) => {
      shown = messages;
      return '';
    });
    expect(shown.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
    expect(shown.slice(2).map(({ content }) => content)).toEqual([
      '<action>go to countertop 1</action>',
      'You arrive at countertop 1. On the countertop 1, you see a apple 1, a egg 1, a knife 1, a mug 2, and a spoon 1.',
      '<action>take mug 2 from countertop 1</action>',
      'You pick up the mug 2 from the countertop 1.',
    ]);
  });

  it('shows the possible commands where it is told to', async () => {
    const { step } = alfworldExams({ data, showAdmissible: true });
    let last = '';
    await step!.answer('kitchen/valid_seen#1', async (messages) => {
      last = messages.at(-1)!.content;
      return '';
    });
    expect(last).toContain('\n\nPossible commands:\ngo to cabinet 1\ngo to cabinet 2\n');
  });

  it('finds all of the ground truth right, possible and on a shortest way', async () => {
    const { step } = exams;
    const verdicts = await Promise.all((await step!.gold()).map((line) => step!.judge(line)));
    expect(metrics(step!, verdicts)).toEqual({
      'step accuracy': [14, 1],
      seen: [7, 1],
      unseen: [7, 1],
      'determined steps': [10, 1],
      admissible: [14, 1],
      progress: [14, 1],
    });
  });

  it('tells wrong, possible and useful apart', async () => {
    const { step } = exams;
    const judge = async (output: Json) =>
      (await step!.judge({ id: 'kitchen/valid_seen#5', output })) as unknown as JsonObject;
    expect(await judge('go to cabinet 2')).toMatchObject({
      correct: false,
      reason: 'another action',
      details: { admissible: true, progress: true, choice: 'receptacle', split: 'valid_seen' },
    });
    expect(await judge('look')).toMatchObject({ correct: false, details: { admissible: true, progress: false } });
    expect(await judge('fly')).toMatchObject({ correct: false, details: { admissible: false, progress: false } });
    expect(await judge('')).toMatchObject({ correct: false, reason: 'no action' });
    for (const output of [null, 7, {}, ['look']]) {
      expect(await judge(output)).toMatchObject({ correct: false, reason: 'the output is not a text' });
    }
  });

  it('judges a line with a target of its own where there is no data at all', async () => {
    const { step } = alfworldExams({ data: NOWHERE });
    const line = { id: 'x', output: 'Put mug 1 in/on desk 2.', target: 'move mug 1 to desk 2' };
    expect(await step!.judge(line)).toEqual({
      id: 'x',
      correct: true,
      score: 1,
      details: { action: 'move mug 1 to desk 2' },
    });
    const placed = {
      id: 'y',
      world: kitchen,
      commands: WALKTHROUGH.slice(0, 4),
      target: WALKTHROUGH[4]!,
      output: 'look',
    };
    expect(await step!.judge(placed)).toMatchObject({ correct: false, details: { admissible: true, progress: false } });
  });

  it.each<[string, JsonObject]>([
    ['the line has no id', { output: 'look' }],
    [
      'no step is called kitchen/valid_seen#99: expected <game>#<number>',
      { id: 'kitchen/valid_seen#99', output: 'look' },
    ],
    ['target: expected the right action', { id: 'x', output: 'look', target: 7 }],
    ['world: goal: expected an object', { id: 'x', output: 'look', target: 'look', world: { id: 'w', task: '' } }],
    [
      'commands: expected a list of texts',
      { id: 'x', output: 'look', target: 'look', world: kitchen, commands: 'look' },
    ],
  ])('cannot judge: %s', async (why, line) => {
    await expect(async () => exams.step!.judge(line)).rejects.toThrow(new LineError(why));
  });

  it('finds a right action right however its call is written, and wrong with any other number', async () => {
    const { step } = alfworldExams({ data: NOWHERE });
    const number = fc.integer({ min: 1, max: 30 });
    await fc.assert(
      fc.asyncProperty(
        number,
        number,
        number,
        fc.shuffledSubarray(['name', 'parameters', 'id'], { minLength: 3 }),
        async (a, b, other, keys) => {
          const target = `take mug ${a} from desk ${b}`;
          const call = (action: string) => {
            const fields: JsonObject = { name: 'act', parameters: { action }, id: 1 };
            return `<tool_call>${JSON.stringify(Object.fromEntries(keys.map((key) => [key, fields[key]!])))}</tool_call>`;
          };
          const judged = await step!.judge({ id: 'x', target, output: call(target) });
          expect(judged.correct).toBe(true);
          const changed = await step!.judge({ target, output: call(`take mug ${other} from desk ${b}`), id: 'x' });
          expect(changed.correct).toBe(other === a);
        },
      ),
    );
  });

  it('says what to do where the data is missing', async () => {
    const { step } = alfworldExams({ data: NOWHERE });
    await expect(step!.ids()).rejects.toThrow(DataError);
    await expect(step!.ids()).rejects.toThrow('genenv data pull alfworld');
  });

  it('judges ten thousand lines in two seconds', async () => {
    const { step } = exams;
    const gold = await step!.gold();
    const spent = cpuStopwatch();
    for (let i = 0; i < 10_000; i++)
      await step!.judge({ ...gold[i % gold.length]!, output: i % 2 === 0 ? 'look' : 'open fridge 1' });
    expect(spent()).toBeLessThan(2000);
  });
});

describe('the exam of whole games', () => {
  it('lets the model act until it wins, and judges what it saved the same', async () => {
    const { simulate } = exams;
    const output = await simulate!.answer(
      'kitchen/valid_seen',
      async (messages) => `I say: <action>${nextMove(messages).action}</action>`,
    );
    const verdict = await simulate!.judge({ id: 'kitchen/valid_seen', output });
    expect(verdict).toMatchObject({
      correct: true,
      details: { split: 'valid_seen', won: true, steps: (output as Json[]).length },
    });
  });

  it('stops after fifty steps', async () => {
    const { simulate } = exams;
    const output = await simulate!.answer('kitchen/valid_seen', async () => 'look');
    expect(output).toHaveLength(50);
    expect(await simulate!.judge({ id: 'kitchen/valid_seen', output })).toMatchObject({
      correct: false,
      reason: 'the goal was not reached',
      details: { won: false, steps: 50 },
    });
    const late = [...Array<string>(44).fill('look'), ...WALKTHROUGH];
    expect(await simulate!.judge({ id: 'kitchen/valid_seen', output: late })).toMatchObject({ correct: false });
    expect(await simulate!.judge({ id: 'kitchen/valid_seen', output: late.slice(1) })).toMatchObject({ correct: true });
  });

  it('finds all of the ground truth right, in either dialect', async () => {
    for (const dialect of ['old', 'new'] as const) {
      const { simulate } = alfworldExams({ data, dialect });
      const verdicts = await Promise.all((await simulate!.gold()).map((line) => simulate!.judge(line)));
      expect(metrics(simulate!, verdicts)).toEqual({
        success: [2, 1],
        seen: [1, 1],
        unseen: [1, 1],
        pick_clean_then_place_in_recep: [2, 1],
      });
    }
  });

  it('plays the commands of a line exactly, in the world that it brings or a game that it names', async () => {
    const { simulate } = alfworldExams({ data: NOWHERE });
    const own = { id: 'x', world: kitchen, commands: ['Go to countertop 1', ...WALKTHROUGH] };
    expect(await simulate!.judge(own)).toMatchObject({ correct: true, details: { won: true, steps: 8 } });
    const target = { observations: ['Nothing happens.'], won: false };
    const expected = { ...own, commands: ['Go to countertop 1'], target };
    expect(await simulate!.judge(expected)).toMatchObject({ correct: true, details: target });
    expect(await simulate!.judge({ ...expected, target: { won: true } })).toMatchObject({ correct: false });
    const named = { id: 'y', game: 'kitchen/train', commands: WALKTHROUGH };
    expect(await exams.simulate!.judge(named)).toMatchObject({ correct: true });
    expect(
      await exams.simulate!.judge({ id: 'z', world: 'kitchen/train', output: WALKTHROUGH.join('\n') }),
    ).toMatchObject({
      correct: true,
    });
  });

  it.each<[string, Json]>([
    ['nothing', null],
    ['a number', 7],
    ['texts among others', ['look', 7]],
    ['ten million characters', 'look\n'.repeat(2e6)],
    ['a million replies', Array<string>(1e6).fill('look')],
  ])('finds %s wrong', async (_, output) => {
    expect(await exams.simulate!.judge({ id: 'kitchen/valid_seen', output })).toMatchObject({ correct: false });
  });

  it.each<[string, JsonObject]>([
    ['no game is called sofa', { id: 'sofa', output: [] }],
    ['no game is called sofa', { id: 'x', game: 'sofa', output: [] }],
    ['game: expected the id of a game', { id: 'x', game: 7, output: [] }],
    ['dialect: expected old or new', { id: 'kitchen/valid_seen', dialect: 'older', output: [] }],
    ['target: expected {observations, won}', { id: 'x', world: kitchen, commands: [], target: 'win' }],
  ])('cannot judge: %s', async (why, line) => {
    await expect(async () => exams.simulate!.judge(line)).rejects.toThrow(new LineError(why));
  });
});
