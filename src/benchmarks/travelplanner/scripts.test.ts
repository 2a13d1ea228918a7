import { describe, expect, it } from 'vitest';
import type { Brief } from '../../core/players.ts';
import { createRng } from '../../core/rng.ts';
import type { Task } from '../../core/types.ts';
import { fixtureFolder } from './fixtures.ts';
import { travelplannerBenchmark } from './index.ts';
import { travelplannerScripts } from './scripts.ts';

const data = fixtureFolder();
const benchmark = travelplannerBenchmark({ data });
const { agent, environment } = travelplannerScripts({ data });
const [seed] = (await benchmark.base()) as [Task];
const brief: Brief = { slot: 0, seed, count: 1, lineage: [], overall: undefined, target: { alpha: 0.5, kMin: 0.1 } };

const reward = (task: Task, choice: number) => {
  const choices = Int32Array.from(agent.decisions(task.prompt), () => choice);
  return benchmark.session!(task)!.judge!(agent.text(task.prompt, choices, createRng(1)));
};

describe('the scripts', () => {
  it('of the agent solve a task where every facet goes right, and miss it otherwise', () => {
    expect(agent.decisions(seed.prompt)).toEqual(['3-days', 'alone']);
    expect(reward(seed, 1)).toBe(1);
    expect(reward(seed, 0)).toBeGreaterThan(0);
    expect(reward(seed, 0)).toBeLessThan(1);
  });

  it('of the simulator write queries that are accepted and that the agent can solve', () => {
    const context = benchmark.context!(brief);
    for (const slack of [0, 4]) {
      for (const wishes of [0, 1, 3]) {
        for (const people of [0, 3]) {
          const text = environment.text(context, Int32Array.from([1, slack, wishes, people]), createRng(wishes));
          const draft = benchmark.read!(text, seed);
          if ('problem' in draft) expect.fail(draft.problem);
          const task = { ...seed, ...draft } as Task;
          expect(draft.features?.slack).toBeCloseTo([1, 1.1, 1.3, 1.7, 2.5][slack]!, 1);
          expect(reward(task, 1)).toBe(1);
        }
      }
    }
  });

  it('of the simulator write garbage now and then', () => {
    const text = environment.text(benchmark.context!(brief), Int32Array.from([0, 0, 0, 0]), createRng(1));
    expect(benchmark.read!(text, seed)).toHaveProperty('problem');
  });
});
