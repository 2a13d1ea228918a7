/** The agent policy π_agent: rollouts through any engine's sampler, GRPO through its trainer. */
import type { Benchmark, School } from '../core/benchmark.ts';
import type { Datum, Loss, Reference, Sampler, Trainer } from '../core/engine.ts';
import { type AdvantageKind, grpoData } from '../core/grpo.ts';
import type { MetricPoint } from '../core/journal.ts';
import type { AgentPlayer } from '../core/players.ts';
import { meanKl } from '../core/rwr.ts';
import type { Experience } from '../core/types.ts';
import { limited } from './limit.ts';
import { mapPool } from './map-pool.ts';
import { type RolloutLimits, rolloutTask } from './rollout.ts';
import { type Optimizer, savedPlayer, withReference } from './training.ts';

export interface AgentOptions {
  trainer: Trainer;
  reference: Reference;
  benchmark: Pick<Benchmark, 'session'>;
  readCalls?: School['readCalls'];
  limits: RolloutLimits;
  concurrency: number;
  optimizer: Optimizer;
  advantage: AdvantageKind;
  clipLow: number;
  clipHigh: number;
  klCoef: number;
}

export async function agentPolicy(options: AgentOptions): Promise<AgentPlayer> {
  const { trainer, reference, benchmark, readCalls, limits, concurrency, optimizer, advantage, klCoef } = options;
  const loss: Loss = { kind: 'clipped', clipLow: options.clipLow, clipHigh: options.clipHigh, klCoef };
  let sampler: Sampler = await trainer.publish('agent-0');

  return {
    ...savedPlayer(trainer, (published) => {
      sampler = published;
    }),

    rollout: (attempts, { epoch, count, temperature, rng, signal }) => {
      const gate = limited(sampler, concurrency);
      return mapPool(
        attempts,
        concurrency,
        async ({ task, role }) => {
          const context = {
            ...limits,
            sampler: gate,
            benchmark,
            ...(readCalls ? { readCalls } : {}),
            temperature,
            signal,
          };
          return { epoch, role, task, traces: await rolloutTask(task, count, rng.fork(task.id), context) };
        },
        signal,
      );
    },

    async update(batches, { epoch, signal }) {
      const metrics: MetricPoint[] = [];
      let step = 0;
      for (const groups of batches) {
        const data = await withReference(grpoData(groups, advantage), klCoef > 0 ? reference : undefined, signal);
        if (data.length === 0) continue;
        const { loss: value, logprobs } = await trainer.forwardBackward(data, loss, signal);
        const { gradNorm } = await trainer.optimStep(optimizer);
        step++;
        const values = {
          'agent/loss': value,
          'agent/gradNorm': gradNorm,
          'agent/kl': klTo(data, logprobs),
          'agent/stepReward': meanReward(groups),
        };
        for (const [key, v] of Object.entries(values)) metrics.push({ key, epoch, step, value: v });
      }
      metrics.push({ key: 'agent/steps', epoch, step: 0, value: step });
      if (step === 0) {
        const detail = 'no group had both successes and failures, so the agent was not updated';
        return { metrics, notes: [{ kind: 'noSignal', epoch, detail }] };
      }
      sampler = await trainer.publish(`agent-${epoch}`);
      return { metrics, checkpoints: [await trainer.save(`agent-${epoch}`)] };
    },
  };
}

/** Every task counts the same, however many of its rollouts could be judged. */
function meanReward(groups: readonly (readonly Experience[])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const judged = groups.map((group) => group.filter(({ valid }) => valid)).filter((group) => group.length > 0);
  return mean(judged.map((group) => mean(group.map(({ reward }) => reward))));
}

/** KL to the reference where the batch carries it, else to the policy that sampled: both say how far this step has come. */
function klTo(data: readonly Datum[], logprobs: readonly Float32Array[]): number {
  return meanKl(
    data,
    logprobs,
    data.map((datum) => datum.reference ?? datum.logprobs!),
  );
}
