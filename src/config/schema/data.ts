/** What an epoch is made of beside fresh tasks, and what it is measured on. */
import * as z from 'zod';
import { robust } from '../presets.ts';
import type { Config } from '../types.ts';
import { atLeastZero, count, orAll, positive, share } from './ranges.ts';

export const pools: z.ZodType<Config['pools']> = z
  .strictObject({
    baseShare: share().default(0.2).describe("Share of an epoch's attempted tasks that are base data."),
    replayShare: share().default(0.1).describe("Share of an epoch's attempted tasks that are re-rolled from the pool."),
    maxStaleness: count(0).default(0).describe('Age in epochs up to which stored traces may be trained on again.'),
    reuseShare: share().default(0).describe('Share of such old traces in a GRPO batch.'),
  })
  .superRefine(({ baseShare, replayShare }, context) => {
    if (baseShare + replayShare < 1) return;
    context.addIssue({
      code: 'custom',
      path: ['replayShare'],
      message: `plus pools.baseShare must stay below 1, or no fresh task is attempted (got ${replayShare} + ${baseShare})`,
    });
  })
  .prefault({})
  .describe('What joins the fresh tasks of an epoch.');

export const fixed: z.ZodType<Config['fixed']> = z
  .strictObject({
    variations: count().default(5).describe('`genenv-static`: variations of each base task.'),
    teacherRatio: positive().max(1000).default(1.76).describe('`teacher-offline`: tasks written, times the base set.'),
  })
  .prefault({})
  .describe('Data sets written once, before training, for the variants that compare with them.');

export const evaluation: z.ZodType<Config['evaluation']> = z
  .strictObject({
    every: count().default(robust.evaluation.every).describe('Epochs between evaluations.'),
    tasks: orAll(count()).default(robust.evaluation.tasks).describe('Validation tasks attempted, or `all` of them.'),
    rollouts: count().default(robust.evaluation.rollouts).describe('Attempts at each held-out task.'),
    temperature: atLeastZero().default(1).describe('Sampling temperature of the agent on held-out tasks; 0 is greedy.'),
    test: z
      .boolean()
      .default(false)
      .describe('Whether the agent is judged on all test tasks after the last epoch; `compare` does so by itself.'),
  })
  .prefault({})
  .describe('How progress is measured on held-out tasks.');
