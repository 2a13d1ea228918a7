/** Slow because it starts the real program over twenty times. */
import { expect, it } from 'vitest';
// @ts-expect-error: a plain script, so that the soak command runs it without a build step.
import { killAndResume } from './kill-and-resume.mjs';

it('ends in the same state when killed with SIGKILL at 20 random moments and resumed each time', async () => {
  const seed = 20;
  const train = ['--engine', 'scripted', '--epochs', '12', '--seed', '5', '--set', 'seedsPerEpoch=24'];
  const { kills, undisturbed, disturbed } = await killAndResume({ kills: 20, seed, train });
  expect(kills).toBe(20);
  expect(disturbed).toBe(undisturbed);
});
