/**
 * The loop against a real trainer behind the protocol. Slow because two models are taught, trained in this process and
 * then again through the server, with faults between the two.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createRng } from '../../src/core/rng.ts';
import { createRunFolder, play } from '../../src/run.ts';
import { serve } from '../../src/serve.ts';
import { digest, openReader } from '../../src/store/index.ts';
import { runCli } from '../run-cli.ts';
// @ts-expect-error: a plain script, so that the soak command runs it without a build step.
import { errandsWorld, playThroughChaos, randomSchedule } from './world.mjs';

let folder: string;
let world: ReturnType<typeof errandsWorld>;
let undisturbed: string;
let requests: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-served-'));
  process.env.GENENV_CACHE = join(folder, 'cache');
  world = errandsWorld({ loadConfig, createRunFolder, play, digest, serve }, folder);
  undisturbed = (await world.inProcess()).digest;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('ends with the same digest in this process and through genenv serve', async () => {
  using reader = openReader(join(folder, 'local'));
  expect(reader.metric('agent/steps', 1)).toBeGreaterThan(0);
  expect(reader.notes().map(({ kind }) => kind)).toContain('klCap');
  const served = await playThroughChaos(world, 'served', []);
  requests = served.requests;
  expect(served.digest).toBe(undisturbed);
});

it('ends with the same digest where training data and results travel as protobuf', async () => {
  await using serving = await world.serve();
  expect((await world.play('protobuf', serving.url, ['engine.wire=protobuf'])).digest).toBe(undisturbed);
});

it('ends with the digest it has alone where two orchestrators share a server', async () => {
  await using serving = await world.serve();
  const alone = (await world.play('alone', serving.url, ['seed=2'])).digest;
  expect(alone).not.toBe(undisturbed);
  const orchestrator = async (seed: number) => {
    const settings: string[] = world.settings(serving.url, [`seed=${seed}`]);
    const set = settings.flatMap((setting) => ['--set', setting]);
    const name = `shared-${seed}`;
    const { code, stderr } = await runCli(['train', '--name', name, '--runs-dir', folder, '--quiet', ...set], {
      cwd: folder,
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return digest(join(folder, name));
  };
  expect(await Promise.all([orchestrator(1), orchestrator(2)])).toEqual([undisturbed, alone]);
  // Both have left: what they held on the server is free for others.
  expect(serving.counts.models).toBe(0);
}, 240_000);

it('is resumed on a server that was started anew, with the same digest', async () => {
  const forever = Number.MAX_SAFE_INTEGER;
  const at = Math.floor(requests * 0.7);
  const result = await playThroughChaos(world, 'resumed', [
    { at: at - 1, fault: 'restart', lasts: 1 },
    { at, fault: 'expiredKey', lasts: forever },
  ]);
  expect(result.stopped).toMatch(/401: The API key has expired\. Put a valid key into GENENV_TEST_TINKER_KEY/);
  expect(result.digest).toBe(undisturbed);
});

it.each([1, 2])('ends with the same digest on random schedule %i, at once or when resumed', async (seed) => {
  const schedule = randomSchedule(createRng(seed).fork('soak'), requests);
  const result = await playThroughChaos(world, `chaos-${seed}`, schedule);
  expect(result.digest, JSON.stringify({ schedule, stopped: result.stopped })).toBe(undisturbed);
});
