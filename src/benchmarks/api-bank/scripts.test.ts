import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whole } from '../../core/fixtures.ts';
import { createRng } from '../../core/rng.ts';
import type { Message, Task } from '../../core/types.ts';
import { readTask } from '../../policies/read-task.ts';
import { folderOf, manyRows } from './fixtures.ts';
import { API_BANK_SCRIPTS, apiBankBenchmark, apiBankScripts } from './index.ts';

const benchmark = apiBankBenchmark({ data: folderOf(manyRows()), baseTasks: 8 });
const base = await benchmark.base();
const [seed] = base as [Task];
const scripts = apiBankScripts([...base, ...(await benchmark.validation()), ...(await benchmark.test!())]);
const context = (alpha: number): Message[] =>
  benchmark.context!({ slot: 0, seed, count: 1, lineage: [], overall: undefined, target: { alpha, kMin: 0.1 } });

/** A task that the environment wrote with these choices. */
const write = (choices: number[]) =>
  readTask(
    { text: scripts.environment.text(context(0.5), Int32Array.from(choices), createRng(choices.join())), stop: 'stop' },
    { benchmark, seed, epoch: 1, origin: 'generated' },
  );
const judged = (task: Task, choices: (decisions: string[]) => number[], agent = scripts.agent) => {
  const reply = agent.text(task.prompt, Int32Array.from(choices(agent.decisions(task.prompt))), createRng(1));
  return benchmark.session!(task)!.judge!(reply);
};
const allRight = (decisions: string[]) => decisions.map(() => 1);

describe('the environment', () => {
  it('writes tasks that the benchmark accepts, and the agent can read them', () => {
    const kind = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.tuple(kind, kind, kind, kind, kind), (more, kinds) => {
        const { task, verdict } = write([1, more, ...kinds]);
        expect(verdict).toEqual({ kind: 'accepted' });
        expect(task!.features.parameters).toBe(more + 1);
        expect(judged(task!, allRight, API_BANK_SCRIPTS.agent)).toBe(1);
      }),
    );
  });

  it('writes garbage when that is chosen', () => {
    expect(write([0, 2, 0, 1, 2, 3, 0]).verdict).toMatchObject({ kind: 'rejected' });
  });

  it.each([
    [0, 0],
    [0.13, 25],
    [0.5, 50],
    [0.9, 100],
  ])('answers a wish for %f from the rows for %i per cent', (alpha, row) => {
    const decisions = scripts.environment.decisions(context(alpha));
    expect(decisions).toEqual(['wellFormed', `parameters@${row}`, ...Array(5).fill(`kind@${row}`)]);
    for (const name of decisions) expect(Object.keys(scripts.environment.rows)).toContain(name);
  });
});

describe('the agent', () => {
  it('answers tasks of the data that it was given, right only if every decision is', () => {
    for (const task of base) {
      expect(judged(task, allRight)).toBe(1);
      for (const [i, name] of scripts.agent.decisions(task.prompt).entries()) {
        expect(Object.keys(scripts.agent.rows)).toContain(name);
        expect(judged(task, (all) => all.map((_, at) => (at === i ? 0 : 1)))).toBe(0);
      }
    }
  });

  it('is wrong about tasks in words that it was not given', () => {
    expect(judged(seed, allRight, API_BANK_SCRIPTS.agent)).toBe(0);
  });
});

it('co-evolves: both players learn on tasks of this benchmark', async () => {
  using played = await whole({
    world: { benchmark, scripts },
    learningRate: { agent: 0.1, environment: 0.3 },
    game: {
      epochs: 6,
      rollouts: { count: 8, temperature: 1 },
      generation: { explorationShare: 0.1 },
      evaluation: { every: 1, tasks: 'all', count: 4, temperature: 1, test: true },
    },
  });
  const { run } = played;
  const series = (key: string) => run.metricRows({ prefix: key }).map(({ value }) => value);
  const validation = series('val/successRate');
  expect(validation.at(-1)).toBeGreaterThan(validation[0]! + 0.1);
  expect(Math.max(...series('env/rejectedShare'))).toBeLessThan(0.3);
});
