/** What the method is for, seen on the scripted engine: calibration into the band, and difficulty that grows by itself. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { createRunFolder, play, type RunEvent } from '../run.ts';
import { openReader, type RunReader } from '../store/index.ts';
import type { VariantName } from './variants.ts';

const newFolder = (variant: VariantName, seed: number) =>
  join(mkdtempSync(join(tmpdir(), 'genenv-dynamics-')), `${variant}-${seed}`);

/** The robust preset on a third of its seeds, evaluated only before the first epoch and after the last. */
async function run(variant: VariantName, seed: number, epochs: number) {
  const folder = newFolder(variant, seed);
  const { config } = loadConfig({
    overrides: {
      engine: 'scripted',
      variant,
      seed,
      epochs,
      generation: { seedsPerEpoch: 24 },
      agent: { batchSize: 24 },
      environment: { batchSize: 24 },
      evaluation: { every: 1000, rollouts: 2 },
    },
  });
  createRunFolder(folder, config);
  const signal = new AbortController().signal;
  const epochEvents: Extract<RunEvent, { type: 'epoch' }>[] = [];
  for await (const event of play(folder, config, { stop: signal, signal })) {
    if (event.type === 'epoch' && event.epoch > 0) epochEvents.push(event);
  }
  return { folder, rates: epochEvents.map(({ metrics }) => metrics['env/successRate']!) };
}

const mean = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
const isInBand = (rate: number) => rate >= 0.4 && rate <= 0.6;

/** Mean steps of the generations that the environment was trained on, over these epochs. */
function keptSteps(reader: RunReader, from: number, to: number): number {
  const steps: number[] = [];
  for (let epoch = from; epoch <= to; epoch++) {
    for (const { kept, taskId } of reader.scores(epoch)) {
      if (kept && taskId !== null) steps.push(reader.task(taskId)!.features.steps!);
    }
  }
  return mean(steps);
}

describe('success on generated tasks', () => {
  // Seconds, not milliseconds: ten epochs of some 700 rollouts each, everything stored.
  it.each([1, 2, 3])('starts outside the band and ends inside it, seed %i', async (seed) => {
    const { rates } = await run('genenv', seed, 10);
    expect(rates).toHaveLength(10);
    expect(rates[0]).toBeLessThan(0.2);
    expect(isInBand(rates.at(-1)!)).toBe(true);
    expect(isInBand(mean(rates.slice(-3)))).toBe(true);
  });

  it.each([1, 2, 3])('never reaches the band when the environment is not trained, seed %i', async (seed) => {
    const { rates } = await run('genenv-random', seed, 10);
    expect(rates[0]).toBeLessThan(0.2);
    expect(rates.filter(isInBand)).toEqual([]);
  });
});

describe('difficulty', () => {
  it('first falls to where the agent is, then rises with it', async () => {
    const { folder } = await run('genenv', 4, 26);
    using reader = openReader(folder);
    const [start, settled, late] = [keptSteps(reader, 1, 1), keptSteps(reader, 6, 9), keptSteps(reader, 23, 26)];
    expect(settled).toBeLessThan(start);
    expect(late).toBeGreaterThan(settled + 3);
    // It is the agent that made this possible: held-out tasks go better, and the band was held most of the way.
    expect(reader.metric('val/successRate', 26)!).toBeGreaterThan(reader.metric('val/successRate', 0)! + 0.15);
    const held = Array.from({ length: 15 }, (_, i) => reader.metric('env/successRate', 6 + i)!);
    expect(held.filter(isInBand).length).toBeGreaterThan(11);
  });
});
