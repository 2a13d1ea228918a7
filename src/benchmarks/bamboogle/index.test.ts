import { describe, expect, it } from 'vitest';
import type { TextWorld } from '../../core/benchmark.ts';
import { taskId } from '../../core/content-id.ts';
import { createRng } from '../../core/rng.ts';
import type { Json, Task } from '../../core/types.ts';
import { invent, PLOTS } from './fiction.ts';
import { bamboogleBenchmark } from './index.ts';
import { goalOf } from './tasks.ts';
import type { TwoHop } from './two-hop.ts';

const bamboogle = bamboogleBenchmark({ data: 'nowhere' });
const [seed] = (await bamboogle.base()) as [Task];
const twoHop = (task: Task): TwoHop => goalOf(task.eval)!.twoHop!;
const call = (query: string) =>
  `<tool_call>\n${JSON.stringify({ name: 'Search', parameters: { query } })}\n</tool_call>`;

describe('the tasks', () => {
  it('need no data, are all different and the same every time', async () => {
    const splits = [await bamboogle.base(), await bamboogle.validation(), await bamboogle.test!()];
    expect(splits.map((tasks) => tasks.length)).toEqual([64, 64, 64]);
    const all = splits.flat();
    expect(new Set(all.map(({ id }) => id)).size).toBe(192);
    for (const task of all) expect(task.id).toBe(taskId(task));
    const again = bamboogleBenchmark({ data: 'nowhere', baseTasks: 5 });
    expect(await again.base()).toEqual(splits[0]!.slice(0, 5));
  });

  it('show the question and nothing of the evidence', () => {
    const text = seed.prompt.map(({ content }) => content).join('\n');
    const { question, bridge, answer, evidence } = twoHop(seed);
    expect(text).toContain(question);
    for (const hidden of [bridge, answer, evidence[0].text]) expect(text).not.toContain(hidden);
  });

  it('have strata by rival values, which sort from easy to hard, and structures in words', async () => {
    const strata = new Set((await bamboogle.validation()).map((task) => bamboogle.stratum!(task)));
    expect([...strata].sort()).toEqual(['0 rivals', '1–2 rivals', '3+ rivals']);
    expect(seed.structure).toMatch(/^(who|what|which|how) (number|dated|named) rivals[01]$/);
    expect(seed.features).toMatchObject({ answerWords: expect.any(Number), rivals: expect.any(Number) });
    expect(bamboogle.stratum!({ ...seed, eval: { kind: 'json', target: 1 } })).toBe('real questions');
    expect(bamboogle.structure!({ ...seed, eval: { kind: 'json', target: 1 } })).toBe('unreadable');
  });
});

describe('a session', () => {
  const open = () => bamboogle.session!(seed) as TextWorld;
  const { evidence, bridge, answer } = twoHop(seed);

  it('is searched in two hops and answered', async () => {
    const session = open();
    const first = await session.say(call(evidence[0].title));
    expect(first.content).toMatch(/^<obs> Search results for the first tool call query:\n1\. /);
    expect(first.content).toContain(evidence[0].text);
    expect(first.content).toMatch(/<user> Please continue to search if needed\..* <\/user>$/);
    const second = await session.say(call(bridge));
    expect(second.content).toContain(evidence[1].text);
    expect(await session.say(`<response> ${answer.toUpperCase()}. </response>`)).toMatchObject({ done: true });
    expect(session.judge(null)).toBe(1);
  });

  it('is lost with another answer, a whole library as the answer, none, or no reply at all', async () => {
    for (const reply of [bridge, `It may be ${answer}.`, evidence[1].text, '', '<think> x </think>']) {
      const session = open();
      await session.say(reply);
      expect(session.judge(reply)).toBe(0);
    }
    expect(open().judge(answer)).toBe(0);
  });

  it('ends after four turns, of which unreadable calls take one each', async () => {
    const session = open();
    const lost = await session.say('<tool_call>\n{"name": null}\n</tool_call>');
    expect(lost.content).toMatch(/^<user> Please continue.*<\/user>$/);
    expect((await session.say(call('x'))).done).toBeUndefined();
    expect((await session.say(call('x'))).content).toContain('Do not make tool call any more.');
    expect(await session.say(call('x'))).toMatchObject({ done: true });
    expect(session.judge(null)).toBe(0);
  });

  it('is none for tasks of other worlds or with a goal that makes no sense', () => {
    const withEval = (goal: Json, world = 'bamboogle') => ({ ...seed, eval: { kind: 'world' as const, world, goal } });
    expect(bamboogle.session!(withEval(1))).toBeUndefined();
    expect(bamboogle.session!(withEval({ question: 'x', golds: [1] }))).toBeUndefined();
    expect(bamboogle.session!(withEval({ question: 'x', golds: ['y'] }, 'other'))).toBeUndefined();
  });

  it("of a real question looks where the user's search looks", async () => {
    const mine = bamboogleBenchmark({ data: 'nowhere', search: async (query) => [{ title: query, snippet: 'found' }] });
    const real = {
      ...seed,
      eval: { kind: 'world' as const, world: 'bamboogle', goal: { question: 'Where?', golds: ['Paris'] } },
    };
    const session = mine.session!(real) as TextWorld;
    expect((await session.say(call('France'))).content).toContain('1. France\n- Snippet: found');
    await session.say('Paris');
    expect(session.judge(null)).toBe(1);
  });
});

describe('what the simulator writes', () => {
  const written = invent(PLOTS[7]!, 2, createRng('written'));
  const read = (text: string) => bamboogle.read!(text, seed);
  const problem = (value: unknown) => {
    const draft = read(typeof value === 'string' ? value : JSON.stringify(value));
    return 'problem' in draft ? draft.problem : undefined;
  };

  it('is asked for with the seed, the record and the target', () => {
    const context = bamboogle.context!({
      slot: 0,
      seed,
      count: 4,
      lineage: [{ epoch: 2, successes: 3, attempts: 8 }],
      overall: 0.25,
      target: { alpha: 0.5, kMin: 0.1 },
    });
    expect(context.map(({ role }) => role)).toEqual(['system', 'user']);
    const { content } = context[1]!;
    expect(content).toContain(JSON.stringify(twoHop(seed)));
    expect(content).toContain('epoch 2: 3 of 8');
    expect(content).toContain('25%');
    expect(content).toContain('about 50% of its attempts (between 40% and 60%)');
  });

  it('is a task when it can be answered from its evidence', () => {
    const draft = read(`Sure!\n\`\`\`json\n${JSON.stringify(written, null, 2)}\n\`\`\``);
    expect(draft).toMatchObject({ tools: [], eval: { kind: 'world', world: 'bamboogle', goal: written } });
    expect(read(JSON.stringify({ ...written, answer: ` ${written.answer} `, more: 1 }))).toEqual(draft);
  });

  it('is refused with a reason otherwise', () => {
    expect(problem('no braces')).toContain('not JSON');
    expect(problem('{"question": }')).toContain('not JSON');
    expect(problem(`{${'['.repeat(10_000)}}`)).toContain('not JSON');
    expect(problem('x'.repeat(30_000))).toBe('longer than 20000 characters');
    expect(problem({ ...written, evidence: [written.evidence[0]] })).toContain('evidence');
    expect(problem({ ...written, answer: 7 })).toContain('answer: ');
    expect(problem([])).toBeDefined();
    expect(problem({ ...written, answer: 'something else' })).toBe(
      'passage 2 does not hold the answer, something else',
    );
    expect(problem({ __proto__: null, constructor: 1 })).toBeDefined();
  });

  it('is refused when it is held out, or the seed again', async () => {
    const [heldOut] = (await bamboogle.validation()) as [Task];
    expect(problem(twoHop(heldOut))).toBe('the question is one of those held out');
    const changed = twoHop(seed);
    expect(problem(changed)).toBe("the question is the seed's own");
  });
});
