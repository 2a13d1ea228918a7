import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRng } from '../../core/rng.ts';
import type { Task } from '../../core/types.ts';
import { smallWorld } from './fixtures.ts';
import { BFCL_SCRIPTS, bfclBenchmark, bfclScripts } from './index.ts';

const benchmark = bfclBenchmark({ data: smallWorld() });
const tasks = [...(await benchmark.base()), ...(await benchmark.validation()), ...(await benchmark.test!())];
const brief = (seed: Task) => ({
  slot: 0,
  seed,
  count: 1,
  lineage: [],
  overall: undefined,
  target: { alpha: 0.5, kMin: 0.1 },
});

const attempt = (task: Task, agent = bfclScripts(tasks).agent, right = true) => {
  const decisions = agent.decisions(task.prompt);
  const reply = agent.text(
    task.prompt,
    Int32Array.from(decisions, (_, i) => (right || i > 0 ? 1 : 0)),
    createRng(1),
  );
  return benchmark.session!(task)!.judge!(reply);
};

it('the scripted agent knows the tasks it is given, and is wrong when a step is', () => {
  for (const task of tasks) expect(attempt(task)).toBe(1);
  for (const task of tasks.filter(({ features }) => features.calls! > 0))
    expect(attempt(task, undefined, false)).toBe(0);
});

it('the scripted simulator writes tasks that are accepted, of the size it chose, and that the scripted agent can do', () => {
  const { environment, agent } = BFCL_SCRIPTS;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 }), fc.integer(), fc.constantFrom(...tasks), (more, random, seed) => {
      const context = benchmark.context!(brief(seed));
      expect(environment.decisions(context)).toEqual(['wellFormed', 'calls@50']);
      const text = environment.text(context, Int32Array.from([1, more]), createRng(random));
      const draft = benchmark.read!(text, seed);
      if ('problem' in draft) throw new Error(draft.problem);
      expect(benchmark.features!(draft).calls).toBe(more + 1);
      const task = { ...seed, ...draft };
      expect(attempt(task, agent)).toBe(1);
      expect(attempt(task, agent, false)).toBe(0);
    }),
  );
});

it('the scripted simulator writes garbage when that is chosen', () => {
  const context = benchmark.context!(brief(tasks[0]!));
  const text = BFCL_SCRIPTS.environment.text(context, Int32Array.from([0, 2]), createRng(1));
  expect(benchmark.read!(text, tasks[0]!)).toHaveProperty('problem');
});
