import { describe, expect, it } from 'vitest';
import { taskId } from '../../core/content-id.ts';
import type { Task } from '../../core/types.ts';
import { requestOf, toyBenchmark, toyDraft } from './index.ts';
import { callsOf, parseRequest } from './language.ts';

const toy = toyBenchmark();
const [seed] = (await toy.base()) as [Task];

describe('base and held-out tasks', () => {
  it('are as many as asked for, all different, and the same every time', async () => {
    const small = toyBenchmark({ baseTasks: 5, validationTasks: 3 });
    expect((await small.base()).map((t) => t.id)).toEqual((await toy.base()).slice(0, 5).map((t) => t.id));
    expect(await small.validation()).toHaveLength(3);
    const ids = [...(await toy.base()), ...(await toy.validation()), ...(await toy.test!())].map((t) => t.id);
    expect(ids).toHaveLength(192);
    expect(new Set(ids).size).toBe(192);
  });

  it('have nothing in common, however many there are', async () => {
    const large = toyBenchmark({ baseTasks: 1000, testTasks: 1000 });
    const base = await large.base();
    const ids = new Set(base.map((t) => t.id));
    expect(ids.size).toBe(1000);
    const test = await large.test!();
    expect(test).toHaveLength(1000);
    expect([...(await large.validation()), ...test].filter((t) => ids.has(t.id))).toEqual([]);
    const tested = new Set(test.map((t) => t.id));
    expect((await large.validation()).filter((t) => tested.has(t.id))).toEqual([]);
  });

  it('are named by their content and judged by the calls their words ask for', async () => {
    for (const task of [...(await toy.base()), ...(await toy.validation()), ...(await toy.test!())]) {
      expect(task.id).toBe(taskId(task));
      expect(task).toMatchObject({ seedId: null, rootId: task.id, epoch: 0 });
      expect(toy.problemWith!(task, task)).toBeUndefined();
      expect(task.features).toEqual(toy.features!(task));
      expect(task.eval).toEqual({ kind: 'toolCalls', target: callsOf(parseRequest(requestOf(task.prompt))!) });
    }
  });

  it('grow from easy to far: base data stays below what is held out', async () => {
    const levels = (tasks: Task[]) =>
      tasks.flatMap((t) => parseRequest(requestOf(t.prompt))!.map((clause) => clause.level));
    expect(Math.max(...levels(await toy.base()))).toBe(3);
    expect(Math.max(...levels(await toy.validation()))).toBe(6);
  });

  it('have strata by their steps, which sort from easy to hard', async () => {
    const strata = new Set((await toy.test!()).map((task) => toy.stratum!(task)));
    const sorted = [...strata].sort(new Intl.Collator('en', { numeric: true }).compare);
    expect(sorted).toEqual(['1–3 steps', '4–6 steps', '7–9 steps', '10+ steps']);
  });

  it('are described by the number of clauses and of steps', () => {
    expect(toy.features!(toyDraft('Ring the red bell 2 times, then count down from 9 in 4 steps.'))).toEqual({
      clauses: 2,
      steps: 6,
    });
  });
});

describe('a written task', () => {
  const problem = (changes: object) =>
    toy.problemWith!({ ...toyDraft('Ring the red bell 2 times.'), ...changes }, seed);

  it('is fine when its target is what it asks for', () => {
    expect(problem({})).toBeUndefined();
  });

  it.each([
    ['other values', 'Ring the blue bell 2 times.'],
    ['too few calls', 'Ring the red bell 1 time.'],
    ['too many calls', 'Ring the red bell 3 times.'],
    ['another tool', 'Count down from 2 in 2 steps.'],
  ])('is refused for a target with %s', (_, other) => {
    expect(problem({ eval: toyDraft(other).eval })).toBe('the target is not what the request asks for');
  });

  it('is refused for a target in another order', () => {
    const draft = toyDraft('Open doors A, B in reverse order, then ring the red bell 1 time.');
    const target = draft.eval.kind === 'toolCalls' ? draft.eval.target.toReversed() : [];
    expect(toy.problemWith!({ ...draft, eval: { kind: 'toolCalls', target } }, seed)).toBe(
      'the target is not what the request asks for',
    );
  });

  it('is refused outside the language, and with another kind of eval', () => {
    expect(problem({ prompt: [{ role: 'user', content: 'Sing.' }] })).toContain('not in the language');
    expect(problem({ prompt: [{ role: 'system', content: 'Ring the red bell 2 times.' }] })).toContain(
      'not in the language',
    );
    expect(problem({ eval: { kind: 'json', target: 1 } })).toBe('the eval is json, not toolCalls');
  });
});
