/** How the two players play and learn. */
import * as z from 'zod';
import { robust } from '../presets.ts';
import type { Config } from '../types.ts';
import { atLeastZero, count, orAuto, positive } from './ranges.ts';

export const rollout: z.ZodType<Config['rollout']> = z
  .strictObject({
    temperature: atLeastZero().default(1).describe('Sampling temperature of the agent while training.'),
    maxTokens: count().default(1024).describe('Tokens the agent may write in one turn.'),
    maxTurns: count().default(8).describe('Turns before a rollout is stopped.'),
    tokenBudget: count()
      .default(robust.rollout.tokenBudget)
      .describe('Tokens the agent may write in one rollout, over all turns.'),
  })
  .prefault({})
  .describe('How the agent attempts tasks.');

const optimizer = {
  passes: count().default(1).describe("Times an epoch's data is gone through."),
  maxGradNorm: positive().default(1).describe('Largest gradient norm before clipping.'),
  weightDecay: atLeastZero().default(0).describe('Weight decay of AdamW.'),
};

export const agent: z.ZodType<Config['agent']> = z
  .strictObject({
    learningRate: orAuto(positive())
      .default(robust.agent.learningRate)
      .describe("Step size of AdamW; `auto` is the engine's own choice."),
    batchSize: count().default(robust.agent.batchSize).describe('Tasks per optimizer step.'),
    advantage: z
      .enum(['grpo', 'drGrpo'])
      .default('grpo')
      .describe('Credit within a group: `grpo` (r−mean)/std, `drGrpo` without the std.'),
    clipLow: z.number().gt(0).lt(1).default(0.2).describe('The policy ratio is clipped below at 1 − clipLow.'),
    clipHigh: positive().default(0.2).describe('The policy ratio is clipped above at 1 + clipHigh.'),
    klCoef: atLeastZero().default(0.001).describe('Weight of the KL penalty to the initial agent.'),
    ...optimizer,
  })
  .prefault({})
  .describe('GRPO updates of the agent (player 1).');

export const environment: z.ZodType<Config['environment']> = z
  .strictObject({
    update: z
      .enum(['rwr', 'grpo', 'hindsight', 'none'])
      .default(robust.environment.update)
      .describe(
        '`rwr` (the paper), `grpo` on R_env among the variations of a seed, `hindsight` labels, or `none`: it stays as it is.',
      ),
    learningRate: orAuto(positive())
      .default(robust.environment.learningRate)
      .describe("Step size of AdamW; `auto` is the engine's own choice."),
    batchSize: count().default(robust.environment.batchSize).describe('Generations per optimizer step.'),
    klCoef: atLeastZero()
      .default(robust.environment.klCoef)
      .describe('Weight of the KL penalty to the initial simulator.'),
    maxKl: orAuto(positive())
      .default('auto')
      .describe(
        "KL to the initial simulator, in nats per token, above which an update is backed off; `auto` is the engine's own choice.",
      ),
    klSamples: count().default(64).describe('Fresh generations that KL is measured on after each update.'),
    ...optimizer,
  })
  .prefault({})
  .describe('Updates of the simulator (player 2).');
