import { describe, expect, it } from 'vitest';
import type { Exam } from '../../core/exam.ts';
import type { JsonObject, Message } from '../../core/types.ts';
import { SHOP, smallWorld } from './fixtures.ts';
import { bfclBenchmark, bfclExams, HISTORIES, judgeVector } from './index.ts';

const data = smallWorld();
const nowhere = '/nowhere/bfcl';
const functions = SHOP as unknown as JsonObject[]; // Interfaces have no index signature.

const promptOf = async (exam: Exam, id: string) => {
  let shown: readonly Message[] = [];
  await exam.answer(id, async (messages) => {
    shown = messages;
    return '';
  });
  return shown;
};

describe('every exam', () => {
  it.each(Object.entries(bfclExams({ data })))('%s judges its own ground truth right', async (_, exam) => {
    const gold = await exam.gold();
    expect(gold.map(({ id }) => id)).toEqual(await exam.ids());
    const verdicts = await Promise.all(gold.map((line) => exam.judge(line)));
    expect(verdicts.filter(({ correct }) => !correct)).toEqual([]);
    expect(exam.summarise(verdicts)[0]).toMatchObject({ n: gold.length, score: 1 });
  });

  it.each(Object.entries(bfclExams({ data })))('%s refuses lines that cannot be judged', async (_, exam) => {
    const judge = async (line: JsonObject) => exam.judge(line);
    await expect(judge({ output: '' })).rejects.toThrow('no "id"');
    await expect(judge({ id: 5, output: '' })).rejects.toThrow('no "id"');
    await expect(judge({ id: 'nobody', output: '' })).rejects.toThrow('nobody');
    await expect(judge({ id: (await exam.ids())[0]! })).rejects.toThrow('no "output"');
    await expect(judge({ id: '__proto__', output: '' })).rejects.toThrow('__proto__');
  });

  it('says what is missing where there is no data', async () => {
    for (const exam of Object.values(bfclExams({ data: nowhere })))
      await expect(exam.ids()).rejects.toThrow('genenv data pull bfcl');
  });
});

describe('per-turn', () => {
  const exam = bfclExams({ data })['per-turn']!;
  const id = 'multi_turn_long_context_150:turn_1';

  it('asks the held-out turns, in order', async () => {
    expect(await exam.ids()).toEqual([
      'multi_turn_long_context_150:turn_0',
      'multi_turn_long_context_150:turn_1',
      'multi_turn_long_context_150:turn_2',
      'multi_turn_long_context_151:turn_0',
    ]);
    expect(await bfclExams({ data })['per-turn-train']!.ids()).toHaveLength(2);
  });

  it('tells what happened before, as much as it is asked to', async () => {
    const shown = Object.fromEntries(
      await Promise.all(
        HISTORIES.map(async (history) => {
          const [, ...dialogue] = await promptOf(bfclExams({ data, history })['per-turn']!, id);
          return [history, dialogue.map(({ role, content }) => `${role}: ${content}`)] as const;
        }),
      ),
    );
    const request = 'Order it for 2024-12-15, at most 30.';
    const call = 'assistant: <tool_call>\n{"name":"find_item","parameters":{"item":"kettle"}}\n</tool_call>';
    expect(shown).toEqual({
      'calls+results': [
        'user: Look for a kettle.',
        call,
        `user: <obs>\nfind_item: {"found": "kettle-55"}\n</obs>\n\n${request}`,
      ],
      calls: ['user: Look for a kettle.', call, `user: ${request}`],
      users: [`user: These earlier requests have been carried out:\n- Look for a kettle.\n\n${request}`],
      none: [`user: ${request}`],
    });
  });

  it('lists the tools of the task, with what they need', async () => {
    const [system] = await promptOf(exam, id);
    expect(system!.content).toContain('1. Name: find_item');
    expect(system!.content).toContain('3. Name: water_beds');
    expect(system!.content).toContain('Required: ["item","price","day"]');
  });

  it('needs results only for the history that shows them', async () => {
    const unexecuted = smallWorld({ results: false });
    for (const history of HISTORIES) {
      const shown = promptOf(bfclExams({ data: unexecuted, history })['per-turn']!, id);
      if (history === 'calls+results') await expect(shown).rejects.toThrow('Use history: calls, users or none');
      else await expect(shown).resolves.toHaveLength(history === 'calls' ? 4 : 2);
    }
  });

  it('judges a line by its own target, without any data', async () => {
    const { 'per-turn': exam } = bfclExams({ data: nowhere });
    const output = '<tool_call>\n{"name": "find_item", "parameters": {"limit": 10, "item": "lamp"}}\n</tool_call>';
    const judge = (line: JsonObject) => exam!.judge({ id: 'mine', output, ...line });
    expect(await judge({ target: ["find_item('lamp')"], functions })).toMatchObject({ correct: true, score: 1 });
    expect(await judge({ ground_truth: ["find_item(item='lamp')"], functions })).toMatchObject({ correct: true });
    expect(await judge({ target: [{ name: 'find_item', parameters: { item: 'lamp' } }], functions })).toMatchObject({
      correct: true,
    });
    expect(await judge({ target: JSON.stringify(["find_item(item='lamp')"]), functions })).toMatchObject({
      correct: true,
    });
    // No documentation, no defaults.
    expect(await judge({ target: ["find_item(item='lamp')"] })).toMatchObject({ correct: false });
    expect(await judge({ target: ["find_item(item='lamp', limit=10)"] })).toMatchObject({ correct: true });
    for (const target of [5, 'x', {}, ['f('], [5], ["find_item('lamp')"]])
      await expect(judge({ target })).rejects.toThrow('target');
    for (const wrong of [
      5,
      [5],
      [{}],
      [{ name: 'f' }],
      [{ name: 'f', parameters: { properties: 5 } }],
      [{ name: 'f', parameters: { properties: { a: 5 } } }],
    ])
      await expect(judge({ target: [], functions: wrong })).rejects.toThrow('function');
  });

  it('reports both orders and the split', async () => {
    const verdict = await exam.judge({ id, output: 'no' });
    expect(verdict).toEqual({
      id,
      correct: false,
      score: 0,
      reason: 'no call instead of 1',
      details: { ordered: false, unordered: false, calls: 1, split: 'test' },
    });
    expect(exam.summarise([verdict, { ...verdict, details: { unordered: true, calls: 2 } }])).toEqual([
      { name: 'exact match', n: 2, score: 0, binomial: true },
      { name: 'exact match in any order', n: 2, score: 0.5, binomial: true },
      { name: '1 call', n: 1, score: 0, binomial: true },
      { name: '2 calls', n: 1, score: 0, binomial: true },
    ]);
  });
});

describe('ast', () => {
  const { ast } = bfclExams({ data: nowhere });

  it('judges a line by its own answers, without any data', async () => {
    const line = { id: 'mine', output: "[find_item(item='Lamp')]", functions };
    const target = [{ find_item: { item: ['lamp'] } }];
    expect(await ast!.judge({ ...line, target })).toMatchObject({ correct: true, details: { category: 'multiple' } });
    expect(await ast!.judge({ ...line, possible_answer: target, category: 'simple' })).toMatchObject({ correct: true });
    expect(await ast!.judge({ ...line, possible_answer: target, test_category: 'parallel' })).toMatchObject({
      correct: true,
    });
    expect(await ast!.judge({ ...line, target: '[{"find_item": {"item": ["rug"]}}]' })).toMatchObject({
      correct: false,
      reason: 'value_error:string',
    });
    expect(await ast!.judge({ ...line, output: [{ find_item: { item: 'lamp' } }], target })).toMatchObject({
      correct: true,
    });
    for (const output of ['Sure!', null, 5, {}, [5]])
      expect(await ast!.judge({ ...line, output, target })).toMatchObject({
        correct: false,
        reason: 'ast_decoder:decoder_failed',
      });
    for (const wrong of [5, {}, [5], [{}], [{ f: 5 }]])
      await expect((async () => ast!.judge({ ...line, target: wrong }))()).rejects.toThrow('possible answer');
  });

  it('shows the functions as they are documented', async () => {
    const [system, user] = await promptOf(bfclExams({ data }).ast!, 'multiple_0');
    expect(system!.content).toContain('"name": "order_item"');
    expect(user).toEqual({ role: 'user', content: 'I need a lamp.' });
  });
});

describe('relevance', () => {
  const { relevance } = bfclExams({ data: nowhere });

  it.each([
    ['irrelevance', 'I cannot help with that.', true],
    ['irrelevance', '[]', true],
    ['irrelevance', 'Hello', true],
    ['irrelevance', '[f()]', false],
    ['live_relevance', '[f()]', true],
    ['live_relevance', 'No.', false],
    ['live_relevance', '[]', false],
  ])('%s: %j', async (category, output, correct) => {
    expect(await relevance!.judge({ id: 'mine', category, output })).toMatchObject({ correct });
    expect(await relevance!.judge({ id: `${category}_7`, output })).toMatchObject({ correct });
  });
});

describe('a vector', () => {
  it('is judged by the exam of its suite, or skipped', async () => {
    const ast = { id: 'a', suite: 'ast', category: 'simple', functions, output: "[find_item(item='x')]" };
    expect(
      await judgeVector({ ...ast, possible_answer: [{ find_item: { item: ['X'] } }], expected_valid: false }, { data }),
    ).toEqual({
      expected: { valid: false },
      got: { valid: true },
    });
    expect(
      await judgeVector(
        { id: 'i', suite: 'relevance', category: 'irrelevance', output: '', expected_valid: true },
        { data },
      ),
    ).toEqual({
      expected: { valid: true },
      got: { valid: true },
    });
    const turn = { id: 'u', suite: 'per_turn', ground_truth: ["find_item('x')", 'water_beds([1])'] };
    const prediction = ['water_beds(beds=[1])', "find_item(item='x', limit=10)"];
    expect(
      await judgeVector(
        { ...turn, prediction, expected_exact_ordered: false, expected_exact_unordered: true },
        { data },
      ),
    ).toEqual({ expected: { ordered: false, unordered: true }, got: { ordered: false, unordered: true } });
    expect(await judgeVector({ id: 'm', suite: 'multi_turn' }, { data })).toBe('skipped');
  });
});

it('training starts from the training turns alone, and the held-out ones are apart', async () => {
  const benchmark = bfclBenchmark({ data });
  const [base, validation, test] = [await benchmark.base(), await benchmark.validation(), await benchmark.test!()];
  expect([base.length, validation.length, test.length]).toEqual([2, 3, 1]);
  expect(base.map((task) => benchmark.stratum!(task))).toEqual(['1 call', '1 call']);
  expect(await bfclBenchmark({ data, baseTasks: 1 }).base()).toEqual(base.slice(0, 1));
});
