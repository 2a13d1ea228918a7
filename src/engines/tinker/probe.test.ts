/** The probe against servers that differ from one another as the real ones do. */
import { afterEach, describe, expect, it } from 'vitest';
import { describeProfile } from './describe.ts';
import { probeServer } from './engine.ts';
import type { Quirks } from './fake-model.ts';
import { type FakeServer, fakeServer } from './fake-server.ts';
import { QUICK } from './fixtures.ts';
import { refusalOf } from './profile.ts';

let server: FakeServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

async function probeOf(quirks: Partial<Quirks>, key?: string, env: Record<string, string> = {}) {
  server = await fakeServer(quirks, key);
  return probeServer({ url: server.url, keyEnv: 'TINKER_API_KEY', ...QUICK, env });
}

describe('the probe', () => {
  it('finds a server without quirks, and leaves no model behind', async () => {
    const profile = await probeOf({});
    expect(profile).toMatchObject({
      model: 'table',
      maxContext: 512,
      reduction: 'sum',
      mask: true,
      losses: { ppo: true },
      extended: false,
      snapshots: 'kept',
      baseSampling: true,
      promptLogprobs: 'full',
      adam: { eps: true, gradClip: true },
      gradNorm: true,
      seeds: true,
      several: true,
      dedupes: true,
    });
    expect(profile.disagreement).toBeLessThan(1e-5);
    expect(server!.models()).toBe(0);
    expect(describeProfile(profile)).toContain('summed over tokens and sequences');
  });

  it.each<[string, Partial<Quirks>, object]>([
    ['a mean over each request', { reduction: 'requestMean' }, { reduction: 'requestMean' }],
    ['a mean over each step', { reduction: 'stepMean' }, { reduction: 'stepMean' }],
    ['no mask beside advantages', { mask: false }, { mask: false }],
    ['ppo that does not clip', { ppo: 'ignores' }, { losses: { ppo: false } }],
    ['no ppo', { ppo: 'refuses' }, { losses: { ppo: false } }],
    ['an Adam of its own', { adam: 'learningRate' }, { adam: { eps: false, gradClip: false } }],
    ['prompt log-probs one short', { promptLogprobs: 'shifted' }, { promptLogprobs: 'shifted' }],
    ['no prompt log-probs', { promptLogprobs: 'none' }, { promptLogprobs: 'none' }],
    ['sessions that follow the latest weights', { snapshots: 'latest' }, { snapshots: 'latest' }],
    ['sampling that overwrites weights', { snapshots: 'overwrites' }, { snapshots: 'overwrites' }],
    ['no base to sample', { baseSampling: false }, { baseSampling: false }],
    ['seeds without effect', { seeds: false }, { seeds: false }],
    ['seeds of 31 bits', { wideSeeds: false }, { wideSeeds: false }],
    ['several samples that are one', { several: false }, { several: false }],
    ['repeated requests that run again', { dedupes: false }, { dedupes: false }],
    ['our losses taken whole', { extended: true }, { extended: true }],
    ['no gradient norm', { gradNorm: false }, { gradNorm: false }],
    ['results that take a few polls', { tryAgain: 2 }, { reduction: 'sum' }],
  ])('measures %s', async (_, quirks, expected) => {
    expect(await probeOf(quirks)).toMatchObject(expected);
  });

  it.each<[string, Partial<Quirks>, RegExp]>([
    ['a mean over all tokens', { reduction: 'tokenMean' }, /cannot be trained on: it reduces losses neither/],
    ['adapters that are one', { apart: false }, /training one adapter moved another/],
    ['room for one adapter', { maxModels: 1 }, /it holds 1 adapters at a time, and three are needed/],
  ])('refuses %s', async (_, quirks, message) => {
    await expect(probeOf(quirks)).rejects.toThrow(message);
  });

  it('refuses a sampler that holds other weights than the trainer', async () => {
    const profile = await probeOf({ samplerBias: -2 });
    expect(refusalOf(profile, { weightDecay: 0 })).toMatch(/disagree by up to 2\.00 nats/);
  });

  it('names the variable where a key is missing or wrong, and never shows the key', async () => {
    await expect(probeOf({}, 'tml-right-secret-0001')).rejects.toThrow(/It wants a key: put yours into TINKER_API_KEY/);
    const env = { TINKER_API_KEY: 'tml-wrong-secret-0002' };
    const wrong = probeServer({ url: server!.url, keyEnv: 'TINKER_API_KEY', ...QUICK, env });
    await expect(wrong).rejects.toThrow(/Put a valid key into TINKER_API_KEY/);
    await expect(wrong).rejects.not.toThrow(/wrong-secret/);
  });

  it('says what models there are where the wanted one is not', async () => {
    server = await fakeServer();
    const options = { url: server.url, keyEnv: 'NO_KEY', ...QUICK };
    await expect(probeServer(options, { model: 'other' })).rejects.toThrow(/other is not on .* It has table/);
  });

  it('says so where no Tinker server is', async () => {
    server = await fakeServer();
    const options = { url: `${server.url}/elsewhere`, keyEnv: 'NO_KEY', ...QUICK };
    await expect(probeServer(options)).rejects.toThrow(/is no Tinker server/);
  });
});
