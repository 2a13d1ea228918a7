/** The simulator's objective, and how it writes. */
import * as z from 'zod';
import { robust } from '../presets.ts';
import type { Config } from '../types.ts';
import { atLeastZero, count, orAll, orAuto, positive, share } from './ranges.ts';

export const curriculum: z.ZodType<Config['curriculum']> = z
  .strictObject({
    alpha: z.number().gt(0).lt(1).default(0.5).describe('α, the success rate the simulator aims at.'),
    beta: positive()
      .default(robust.curriculum.beta)
      .describe('β, sharpness of the bell R_env = exp(−β(p̂−α)²) (Eq. 3).'),
    kMin: z
      .number()
      .gt(0)
      .max(0.5)
      .default(0.1)
      .describe('k_min, half-width of the band around α that the filter keeps.'),
    lambda: atLeastZero().default(1).describe('λ, how strongly RWR weights ∝ exp(λ·R_env) prefer rewarded tasks.'),
    variations: count().default(4).describe('n, tasks the simulator writes per seed and epoch.'),
    rollouts: count().default(8).describe('G, attempts of the agent at each task: one GRPO group.'),
    successScope: z
      .enum(['seed', 'task', 'epoch'])
      .default(robust.curriculum.successScope)
      .describe("What p̂ is counted over (Eq. 2): all variations of a seed, each task's own attempts, or the epoch."),
    shrinkage: atLeastZero()
      .default(robust.curriculum.shrinkage)
      .describe("Attempts' worth of its seed's mean that each task's p̂ borrows; scope `task` only."),
    successThreshold: orAuto(z.number().gt(0).max(1))
      .default('auto')
      .describe('Reward from which an attempt counts as a success; `auto` is 1 for structured answers, 0.8 for text.'),
    reward: z
      .enum(['bell', 'bandMass', 'rZero', 'learnability'])
      .default(robust.curriculum.reward)
      .describe('R_env: `bell` (Eq. 3), `bandMass` P(|p−α| ≤ k_min | data), `rZero` 1−2|p̂−½|, `learnability` p̂(1−p̂).'),
    filter: z
      .enum(['strict', 'soft', 'none'])
      .default(robust.curriculum.filter)
      .describe('Which tasks train the simulator: `strict` |p̂−α| ≤ k_min as written, `soft` with a floor, or all.'),
    minKept: share()
      .default(robust.curriculum.minKept)
      .describe('Least share of tasks that the `soft` filter lets through.'),
    quota: z
      .number()
      .gt(0)
      .max(1)
      .default(robust.curriculum.quota)
      .describe("Share of an epoch's tasks that one kind may take before its reward is scaled down; 1 is no quota."),
  })
  .prefault({})
  .describe("The simulator's objective: the paper's symbols.");

export const generation: z.ZodType<Config['generation']> = z
  .strictObject({
    seedsPerEpoch: orAll(count())
      .default(robust.generation.seedsPerEpoch)
      .describe('Seed tasks drawn each epoch, or `all` of them.'),
    temperature: atLeastZero().default(1).describe('Sampling temperature of the simulator.'),
    maxTokens: count().default(1024).describe('Tokens the simulator may write in one generation.'),
    explorationShare: share()
      .default(robust.generation.explorationShare)
      .describe('Share of generations written by the simulator as it was before training.'),
    evolveSeeds: z
      .boolean()
      .default(robust.generation.evolveSeeds)
      .describe('Whether accepted tasks become seeds too, so that difficulty can climb past one edit.'),
    historyEpochs: count(0).default(3).describe('Past epochs whose success statistics the simulator is shown.'),
  })
  .prefault({})
  .describe('How the simulator writes tasks.');
