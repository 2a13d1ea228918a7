import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../core/rng.ts';
import type { Group, Task } from '../../core/types.ts';
import { scriptedEngine } from '../../engines/scripted/index.ts';
import { agentPolicy } from '../../policies/agent.ts';
import { writer } from '../../policies/write-tasks.ts';
import { invent, PLOTS } from './fiction.ts';
import { bamboogleBenchmark } from './index.ts';
import { MAX_RIVALS } from './relations.ts';
import { BAMBOOGLE_SCRIPTS } from './scripts.ts';
import { asTask, twoHopDraft } from './tasks.ts';

const benchmark = bamboogleBenchmark({ data: 'nowhere' });
const base = await benchmark.base();
const engine = scriptedEngine({ scripts: BAMBOOGLE_SCRIPTS, checkpoints: mkdtempSync(join(tmpdir(), 'bamboogle-')) });
const { signal } = new AbortController();

/** Questions of every plot with so many rivals. */
const tasksWith = (rivals: number): Task[] =>
  PLOTS.map((plot, i) => asTask(twoHopDraft(invent(plot, rivals, createRng('scripts').fork(rivals, i))), 'base'));

const agent = await agentPolicy({
  trainer: await engine.trainer('agent'),
  reference: await engine.reference('agent'),
  benchmark,
  limits: { maxTokens: 100, maxTurns: 8, tokenBudget: 1000, successThreshold: 'auto' },
  concurrency: 4,
  optimizer: { learningRate: 0.1 },
  advantage: 'grpo',
  clipLow: 0.2,
  clipHigh: 0.2,
  klCoef: 0.001,
});

const roll = (tasks: readonly Task[], epoch = 1): Promise<Group[]> =>
  agent.rollout(
    tasks.map((task) => ({ task, role: 'base' as const })),
    { epoch, count: 8, temperature: 1, rng: createRng('roll').fork(epoch), signal },
  );

function success(groups: readonly Group[]): number {
  const traces = groups.flatMap((group) => group.traces);
  return traces.filter((trace) => trace.success).length / traces.length;
}

describe('the scripted agent', () => {
  it('searches, follows the bridge and answers; rivals make it harder', async () => {
    const groups = await roll(tasksWith(0));
    const traces = groups.flatMap((group) => group.traces);
    expect(traces.every(({ valid, stop }) => valid && stop === 'answer')).toBe(true);
    expect(traces.filter(({ success }) => success).every(({ turns }) => turns.length === 3)).toBe(true);
    const [easy, hard] = [success(groups), success(await roll(tasksWith(MAX_RIVALS)))];
    expect(easy).toBeGreaterThan(0.35);
    expect(hard).toBeLessThan(easy / 2);
  });

  it('learns from reward', async () => {
    const tasks = tasksWith(1);
    const before = success(await roll(tasks));
    for (let epoch = 1; epoch <= 10; epoch++) {
      const groups = await roll(tasks, epoch);
      await agent.update([groups.map(({ traces }) => traces)], { epoch, rng: createRng('update'), signal });
    }
    expect(success(await roll(tasks))).toBeGreaterThan(before + 0.15);
  });
});

describe('the scripted environment', () => {
  it('writes tasks that the benchmark accepts, but for a little garbage', async () => {
    const reference = await engine.reference('environment');
    const writing = { benchmark, concurrency: 4, temperature: 1, maxTokens: 100, reference };
    const briefs = base.slice(0, 32).map((seed, slot) => ({
      slot,
      seed,
      count: 4,
      lineage: [],
      overall: undefined,
      target: { alpha: 0.5, kMin: 0.1 },
    }));
    const how = { epoch: 1, rng: createRng('write'), signal, author: 'environment' as const, explorationShare: 0 };
    const generations = await writer(writing, () => reference).write(briefs, how);
    const rejected = generations.flatMap(({ verdict }) => (verdict.kind === 'rejected' ? [verdict.detail] : []));
    expect(generations).toHaveLength(128);
    expect(rejected.length).toBeLessThan(10);
    expect(new Set(rejected)).toEqual(new Set(['not JSON: expected {"question", "evidence", "bridge", "answer"}']));
    const rivals = new Set(generations.flatMap(({ task }) => (task ? [task.features.rivals] : [])));
    expect([...rivals].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
