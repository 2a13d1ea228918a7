import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toyBenchmark } from '../benchmarks/toy/index.ts';
import { TOY_SCRIPTS } from '../benchmarks/toy/scripts.ts';
import type { Trainer } from '../core/engine.ts';
import type { AgentPlayer, RolloutOptions } from '../core/players.ts';
import { createRng } from '../core/rng.ts';
import type { Group, Task } from '../core/types.ts';
import { scriptedEngine } from '../engines/scripted/index.ts';
import { type AgentOptions, agentPolicy } from './agent.ts';

const tasks: Task[] = await toyBenchmark().base();
const attempts = tasks.map((task) => ({ task, role: 'base' as const }));
const signal = new AbortController().signal;
const rolling = (changes: Partial<RolloutOptions> = {}): RolloutOptions => ({
  epoch: 1,
  count: 8,
  temperature: 1,
  rng: createRng('rollout'),
  signal,
  ...changes,
});
const during = (epoch: number) => ({ epoch, rng: createRng('update'), signal });

async function open(changes: Partial<AgentOptions> = {}) {
  const engine = scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: mkdtempSync(join(tmpdir(), 'genenv-agent-')) });
  const trainer = await engine.trainer('agent');
  const player = await agentPolicy({
    trainer,
    reference: await engine.reference('agent'),
    benchmark: toyBenchmark(),
    limits: { maxTokens: 100, maxTurns: 1, tokenBudget: 1000, successThreshold: 'auto' },
    concurrency: 4,
    optimizer: { learningRate: 0.1 },
    advantage: 'grpo',
    clipLow: 0.2,
    clipHigh: 0.2,
    klCoef: 0.001,
    ...changes,
  });
  return { trainer, player };
}

/** The reliability of each skill, from the log-probs of a right step. */
async function skills(trainer: Trainer): Promise<number[]> {
  const rows = Object.keys(TOY_SCRIPTS.agent.rows);
  const logprobs = await trainer.forward(
    rows.map((_, row) => ({ tokens: Int32Array.of(1, row, 1), weights: Float32Array.of(0, 0, 1) })),
  );
  return logprobs.map((lp) => Math.exp(lp[2]!));
}

const experience = (groups: readonly Group[]) => groups.map((group) => group.traces);
const mean = (xs: number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
const stateOf = async (trainer: Trainer) => (await trainer.save('probe')).sha256;

describe('rollouts', () => {
  it('are one group per attempt, in the order of the attempts, with epoch and role', async () => {
    const { player } = await open();
    const some = [attempts[3]!, { task: attempts[1]!.task, role: 'fresh' as const }];
    const groups = await player.rollout(some, rolling({ count: 3, epoch: 5 }));
    expect(groups.map(({ task, role, epoch, traces }) => [task.id, role, epoch, traces.length])).toEqual([
      [tasks[3]!.id, 'base', 5, 3],
      [tasks[1]!.id, 'fresh', 5, 3],
    ]);
    expect(groups[0]!.traces[0]!.policy).toBe('agent-0');
  });

  it('are the same whatever runs beside them', async () => {
    const { player: one } = await open({ concurrency: 1 });
    const { player: many } = await open({ concurrency: 64 });
    const all = await one.rollout(attempts, rolling());
    expect(await many.rollout(attempts, rolling())).toEqual(all);
    expect(await many.rollout(attempts.slice(20, 30), rolling())).toEqual(all.slice(20, 30));
  });

  it('reject when cancelled', async () => {
    const { player } = await open();
    await expect(player.rollout(attempts, rolling({ signal: AbortSignal.abort(new Error('stop')) }))).rejects.toThrow(
      'stop',
    );
  });
});

describe('an update', () => {
  const learn = async (player: AgentPlayer, epochs: number) => {
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const groups = await player.rollout(attempts, rolling({ epoch, rng: createRng('learn').fork(epoch) }));
      await player.update([experience(groups)], during(epoch));
    }
  };

  it('raises every skill that tasks ask for, and the success rate with them', async () => {
    const { player, trainer } = await open();
    const rate = async () => {
      const groups = await player.rollout(attempts, rolling({ rng: createRng('measure') }));
      return mean(groups.flatMap((g) => g.traces.map((t) => t.reward)));
    };
    const [before, rateBefore] = [await skills(trainer), await rate()];
    await learn(player, 5);
    const after = await skills(trainer);
    for (const [i, skill] of after.entries()) expect(skill).toBeGreaterThan(before[i]!);
    expect(await rate()).toBeGreaterThan(rateBefore + 0.05);
  });

  it('lowers them when failure is what is rewarded', async () => {
    const { player, trainer } = await open();
    const before = await skills(trainer);
    const groups = await player.rollout(attempts, rolling());
    const inverted = groups.map((g) => g.traces.map((t) => ({ ...t, reward: 1 - t.reward })));
    await player.update([inverted], during(1));
    for (const [i, skill] of (await skills(trainer)).entries()) expect(skill).toBeLessThan(before[i]!);
  });

  it('leaves a skill alone that no task asked for', async () => {
    const { player, trainer } = await open({ klCoef: 0 });
    const before = await skills(trainer);
    const ringing = attempts.filter(({ task }) => /^Ring [^,]*\.$/.test(task.prompt[0]!.content));
    expect(ringing.length).toBeGreaterThan(2);
    const groups = await player.rollout(ringing, rolling({ count: 64 }));
    await player.update([experience(groups)], during(1));
    const [ring, open_, count] = await skills(trainer);
    expect(ring).toBeGreaterThan(before[0]!);
    expect([open_, count]).toEqual([before[1], before[2]]);
  });

  it('steps once per batch with a signal, publishes and saves under the name of its epoch', async () => {
    const { player } = await open();
    const batch = experience(await player.rollout(attempts, rolling()));
    const { metrics, checkpoints, notes } = await player.update([batch, [], batch], during(3));
    expect(metrics!.map((m) => `${m.epoch} ${m.key} ${m.step}`)).toEqual([
      '3 agent/loss 1',
      '3 agent/gradNorm 1',
      '3 agent/kl 1',
      '3 agent/stepReward 1',
      '3 agent/loss 2',
      '3 agent/gradNorm 2',
      '3 agent/kl 2',
      '3 agent/stepReward 2',
      '3 agent/steps 0',
    ]);
    const kl = metrics!.filter((m) => m.key === 'agent/kl').map((m) => m.value);
    expect(kl[0]).toBe(0);
    expect(kl[1]).toBeGreaterThan(0);
    expect(metrics!.at(-1)!.value).toBe(2);
    expect(notes).toBeUndefined();
    expect(checkpoints).toMatchObject([{ player: 'agent', ref: 'agent-3' }]);
    const [next] = await player.rollout([attempts[0]!], rolling());
    expect(next!.traces[0]!.policy).toBe('agent-3');
  });

  it.each(['all failed', 'all solved', 'none evaluable', 'no group'] as const)(
    'with %s changes nothing and says why',
    async (kind) => {
      const { player, trainer } = await open();
      const groups = await player.rollout(attempts, rolling());
      const before = await stateOf(trainer);
      const traces = groups.map((g) =>
        g.traces.map((t) => ({
          ...t,
          valid: kind !== 'none evaluable',
          reward: kind === 'none evaluable' ? t.reward : kind === 'all solved' ? 1 : 0,
        })),
      );
      expect(await player.update(kind === 'no group' ? [] : [traces], during(2))).toEqual({
        metrics: [{ key: 'agent/steps', epoch: 2, step: 0, value: 0 }],
        notes: [
          {
            kind: 'noSignal',
            epoch: 2,
            detail: 'no group had both successes and failures, so the agent was not updated',
          },
        ],
      });
      expect(await stateOf(trainer)).toBe(before);
    },
  );

  it('does not look at rollouts that could not be evaluated', async () => {
    const [a, b] = [await open(), await open()];
    const groups = experience(await a.player.rollout(attempts, rolling()));
    const withCrash = groups.map((traces) => [...traces, { ...traces[0]!, reward: 0.3, valid: false }]);
    await a.player.update([groups], during(1));
    await b.player.update([withCrash], during(1));
    expect(await stateOf(b.trainer)).toBe(await stateOf(a.trainer));
  });

  it('works without a KL term, and measures the KL to the policy that sampled', async () => {
    const { player } = await open({ klCoef: 0, advantage: 'drGrpo' });
    const batch = experience(await player.rollout(attempts, rolling()));
    const { metrics } = await player.update([batch, batch], during(1));
    const kl = metrics!.filter((m) => m.key === 'agent/kl').map((m) => m.value);
    expect(kl[0]).toBeCloseTo(0, 12);
    expect(kl[1]).toBeGreaterThan(1e-6);
  });
});

it('goes on from a checkpoint exactly as it would have gone on', async () => {
  const [straight, resumed] = [await open(), await open()];
  const step = async ({ player }: { player: AgentPlayer }, epoch: number) => {
    const groups = await player.rollout(attempts, rolling({ epoch, rng: createRng('run').fork(epoch) }));
    return (await player.update([experience(groups)], during(epoch))).checkpoints![0]!;
  };
  await step(straight, 1);
  const second = await step(straight, 2);
  const first = await step(resumed, 1);
  await step(resumed, 7);
  await resumed.player.restore(first);
  const [group] = await resumed.player.rollout([attempts[0]!], rolling());
  expect(group!.traces[0]!.policy).toBe('agent-1');
  expect((await step(resumed, 2)).sha256).toBe(second.sha256);
});
