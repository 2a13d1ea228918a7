/** The loop on two real transformers. Slow because they are warmed up and trained, twice, and killed in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { createRunFolder, play } from '../src/run.ts';
import { digest, openReader } from '../src/store/index.ts';
// @ts-expect-error: a plain script, so that the soak command runs it without a build step.
import { killAndResume } from './kill-and-resume.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-local-'));
  process.env.GENENV_CACHE = join(folder, 'cache');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tiny = [
  'engine=local',
  'benchmark=letters',
  'engine.width=32',
  'engine.layers=1',
  'engine.warmSteps=80',
  'engine.threads=2',
  'seedsPerEpoch=8',
  'evaluation.tasks=16',
  'evaluation.rollouts=1',
];
const never = new AbortController().signal;

async function run(name: string, ...set: string[]): Promise<string> {
  const { config } = loadConfig({ set: [...tiny, 'epochs=2', ...set] });
  createRunFolder(join(folder, name), config);
  for await (const _ of play(join(folder, name), config, { stop: never, signal: never })) {
    // Only where it ends matters here.
  }
  return digest(join(folder, name));
}

it('trains both players, and ends in the same state whatever the concurrency and with models made anew', async () => {
  const first = await run('first');
  using reader = openReader(join(folder, 'first'));
  expect(reader.metric('agent/steps', 2)).toBeGreaterThan(0);
  expect(reader.metric('env/kl', 2)).toBeGreaterThan(0);
  const shas = reader.checkpoints().map(({ sha256 }) => sha256);
  expect(new Set(shas).size).toBe(shas.length);

  process.env.GENENV_CACHE = join(folder, 'another-cache');
  expect(await run('second', 'concurrency=3')).toBe(first);
  expect(await run('third', 'seed=2')).not.toBe(first);
});

it('ends in the same state when killed with SIGKILL and resumed', async () => {
  const train = ['--epochs', '2', ...tiny.flatMap((setting) => ['--set', setting])];
  const { kills, undisturbed, disturbed } = await killAndResume({ kills: 4, seed: 3, train });
  expect(kills).toBeGreaterThan(1);
  expect(disturbed).toBe(undisturbed);
});
