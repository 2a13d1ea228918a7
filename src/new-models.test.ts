import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { loadConfig } from './config.ts';

import { NOTHING_SPENT } from './core/journal.ts';
import { tempFolder } from './fixtures.ts';
import { newModels } from './new-models.ts';
import { openBenchmark } from './open-benchmark.ts';
import { type TrainableConfig, trainable } from './open-engine.ts';

const { config: loaded } = loadConfig({
  set: ['engine=local', 'benchmark=letters', 'engine.width=16', 'engine.layers=1', 'engine.warmSteps=6'],
});
const config: TrainableConfig = trainable(loaded);

afterEach(() => vi.unstubAllEnvs());

/** Makes or waits for the models of a run; how many steps of learning it took part in itself. */
async function stepsOf(folder: string, stop?: AbortSignal): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const opening = {
    config,
    folder,
    benchmark: await openBenchmark(config),
    journal: { ledger: () => NOTHING_SPENT },
    signal: new AbortController().signal,
    ...(stop ? { stop } : {}),
  };
  if (config.engine.kind !== 'local') throw new Error('not a local engine');
  let steps = 0;
  for await (const event of newModels(opening, config.engine)) if (event.type === 'progress') steps++;
  return steps;
}

const weights = (run: string) => readFileSync(join(run, 'models', 'agent', 'model.safetensors'));

it('are made by one of the runs that need them at the same time; the others wait for it', async () => {
  const folder = tempFolder();
  vi.stubEnv('GENENV_CACHE', join(folder, 'cache'));
  const runs = ['a', 'b', 'c'].map((name) => join(folder, name));
  const steps = await Promise.all(runs.map((run) => stepsOf(run)));
  expect(steps.sort((a, b) => a - b)).toEqual([0, 0, 12]);
  for (const run of runs) expect(weights(run)).toEqual(weights(runs[0]!));
  // No lock and no half-made models are left beside them.
  expect(readdirSync(join(folder, 'cache', 'models'))).toHaveLength(1);
});

it('are made by the next when the one that makes them is stopped, and a run that waits can be stopped too', async () => {
  const folder = tempFolder();
  vi.stubEnv('GENENV_CACHE', join(folder, 'cache'));
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(stepsOf(join(folder, 'a'), stop)).rejects.toThrow('enough');
  expect(await stepsOf(join(folder, 'b'))).toBe(12);
});
