import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LineError } from '../../core/exam.ts';
import type { JsonObject, Message } from '../../core/types.ts';
import { CALL, folderOf, manyRows } from './fixtures.ts';
import { apiBankExams } from './index.ts';
import { promptOf } from './prompt.ts';

const ROWS = manyRows();
const { soft, strict } = apiBankExams({ data: folderOf(ROWS) });
const nowhere = apiBankExams({ data: 'nowhere' });
const inline = (output: unknown, target: unknown = [CALL]) => ({ id: 'x', output, target }) as JsonObject;
const right = `<tool_call>\n${JSON.stringify(CALL)}\n</tool_call>`;

describe('an exam', () => {
  it('asks every row in the order of the data, in the two messages of the protocol', async () => {
    const ids = await soft.ids();
    expect(ids).toEqual(ROWS.map(({ id }) => id));
    const asked: Message[][] = [];
    const reply = await soft.answer('level-2/3', async (messages, options) => {
      asked.push([...messages]);
      return `limit ${options?.maxTokens}`;
    });
    expect(reply).toBe('limit 4096');
    expect(asked).toEqual([promptOf(ROWS.find(({ id }) => id === 'level-2/3')!)]);
  });

  it.each([soft, strict])('judges its own gold right', async (exam) => {
    const gold = await exam.gold();
    const verdicts = await Promise.all(gold.map((line) => exam.judge(line)));
    expect(verdicts.every(({ correct, score }) => correct && score === 1)).toBe(true);
    expect(exam.summarise(verdicts)[0]).toEqual({ name: 'overall', n: 120, score: 1, binomial: true });
  });

  it('knows rows by the ids of the official scripts too', async () => {
    const [gold] = await soft.gold();
    expect(await soft.judge({ ...gold!, id: 'Level1_0' })).toMatchObject({
      id: 'Level1_0',
      correct: true,
      details: { level: 1 },
    });
  });

  it('judges a line with its own target without any data', async () => {
    expect(await nowhere.soft.judge(inline(right))).toEqual({
      id: 'x',
      correct: true,
      score: 1,
      details: { calls: 1, soft: true, strict: true, typeBlind: true, level: null, split: null },
    });
    expect(await nowhere.soft.judge(inline(right, CALL))).toMatchObject({ correct: true });
    expect(await nowhere.soft.judge({ ...inline(right), id: 'level-3/7' })).toMatchObject({ details: { level: 3 } });
    await expect(nowhere.soft.judge({ id: 'level-1/0', output: right })).rejects.toThrow('genenv data pull api-bank');
  });

  it('differs in what it takes for right, and tells both', async () => {
    const twice = inline(`<tool_call>\n${JSON.stringify(CALL)}\n${JSON.stringify(CALL)}\n</tool_call>`);
    expect(await nowhere.soft.judge(twice)).toMatchObject({
      correct: true,
      details: { soft: true, strict: false, calls: 2 },
    });
    expect(await nowhere.strict.judge(twice)).toMatchObject({
      correct: false,
      score: 0,
      reason: '2 calls instead of one',
      details: { soft: true },
    });
    const typed = inline(JSON.stringify({ ...CALL, parameters: { ...CALL.parameters, people: 4 } }));
    expect(await nowhere.soft.judge(typed)).toMatchObject({
      correct: false,
      reason: 'people differs',
      details: { typeBlind: true },
    });
  });

  it.each([null, 5, { text: 'x' }, [right]])('judges the output %j wrong', async (output) => {
    expect(await nowhere.soft.judge(inline(output))).toMatchObject({ correct: false, reason: 'the output is no text' });
  });

  it.each<[string, JsonObject]>([
    ['no id', { output: right, target: [CALL] }],
    ['an id that is no text', { id: 3, output: right, target: [CALL] }],
    ['no output', { id: 'x', target: [CALL] }],
    ['a row that is not there', { id: 'level-1/999', output: right }],
    ['a row named like a part of objects', { id: '__proto__', output: right }],
    ['an empty target', inline(right, [])],
    ['a target that is no call', inline(right, { name: 'F' })],
    ['null for a target', inline(right, null)],
  ])('cannot judge a line with %s, and says so', async (_, line) => {
    await expect((async () => soft.judge(line))()).rejects.toThrow(LineError);
  });

  it.each([
    ['deep nesting', '['.repeat(10_000) + ']'.repeat(10_000)],
    [
      'deep nesting inside the call',
      `{"name":"BookTable","parameters":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    ],
    ['half a character', '{"name": "\ud800", "parameters": {}}'],
    ['ten megabytes', 'x'.repeat(10_000_000)],
    ['ten megabytes in quotes', `"${'\\n'.repeat(5_000_000)}"`],
    ['keys that name parts of objects', '{"__proto__": {"name": "BookTable"}, "constructor": 1}'],
    ['not a number', 'NaN'],
  ])('judges %s wrong', async (_, output) => {
    expect(await nowhere.soft.judge(inline(output))).toMatchObject({ correct: false });
    expect(await nowhere.strict.judge(inline(output))).toMatchObject({ correct: false });
  });

  it('survives a target that nests deep', async () => {
    const target = JSON.parse(`{"name":"BookTable","parameters":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`);
    expect(
      await nowhere.soft.judge(inline(JSON.stringify({ name: 'BookTable', parameters: { a: { a: 1 } } }), target)),
    ).toMatchObject({ correct: false });
  });
});

describe('the summary', () => {
  it('has the headline, the levels, the rows kept from training, and both other readings', async () => {
    const gold = await soft.gold();
    const half = gold.map((line, i) => (i % 2 === 0 ? line : { ...line, output: 'no' }));
    const verdicts = await Promise.all(half.map((line) => soft.judge(line)));
    expect(soft.summarise(verdicts).map(({ name, n, score }) => [name, n, score])).toEqual([
      ['overall', 120, 0.5],
      ['level 1', 40, 0.5],
      ['level 2', 40, 0.5],
      ['level 3', 40, 0.5],
      ['held-out', 72, 0.5],
      ['strict', 120, 0.5],
      ['types forgiven', 120, 0.5],
    ]);
    expect(strict.summarise(verdicts).map(({ name }) => name)).toContain('soft');
  });

  it('leaves out what no line belongs to', () => {
    expect(soft.summarise([]).map(({ name, n, score }) => [name, n, score])).toEqual([
      ['overall', 0, 0],
      ['strict', 0, 0],
      ['types forgiven', 0, 0],
    ]);
  });
});

describe.skipIf(!process.env.GENENV_DATA)('the data (needs GENENV_DATA)', () => {
  const whole = apiBankExams({ data: join(process.env.GENENV_DATA ?? '', 'api-bank') });

  it.each([whole.soft, whole.strict])('is right by its own gold: 597 of 597', async (exam) => {
    const verdicts = await Promise.all((await exam.gold()).map((line) => exam.judge(line)));
    expect(verdicts.filter(({ correct }) => correct)).toHaveLength(597);
    expect(exam.summarise(verdicts).map(({ name, n }) => [name, n])).toEqual([
      ['overall', 597],
      ['level 1', 399],
      ['level 2', 67],
      ['level 3', 131],
      ['held-out', 343],
      [exam.name === 'soft' ? 'strict' : 'soft', 597],
      ['types forgiven', 597],
    ]);
  });
});
