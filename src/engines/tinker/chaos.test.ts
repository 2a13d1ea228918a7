/** Training and sampling through a proxy that spoils the traffic: the outcome is that of a calm day, or a stop with a reason. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a plain script, so that the soak command runs it without a build step.
import { chaosProxy, FAULTS, randomSchedule } from '../../../test/tinker/chaos-proxy.mjs';
import { EngineStopped } from '../../core/engine.ts';
import { createRng } from '../../core/rng.ts';
import { tinkerEngine } from './engine.ts';
import { type Disk, fakeServer } from './fake-server.ts';
import { datum, letterChat, QUICK } from './fixtures.ts';

const disposables: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposables.splice(0).reverse()) await dispose();
});

interface Event {
  at: number;
  fault: string;
  lasts: number;
}

const DATA = [datum([3, 4, 5, 6, 7, 8], 3, 1.5), datum([9, 10, 11, 12, 13], 2, -0.7)];

/** A small training run with everything in it. */
async function play(url: string, notes: string[], maxOutageSeconds: number) {
  const player = { base: 'table', chat: letterChat };
  await using engine = await tinkerEngine({
    url,
    keyEnv: 'TINKER_API_KEY',
    ...QUICK,
    maxOutageSeconds,
    env: { TINKER_API_KEY: 'tml-secret-of-the-test' },
    loraRank: 4,
    losses: 'auto',
    players: { agent: { ...player, seed: 1 }, environment: { ...player, seed: 2 } },
    notice: (kind, detail) => notes.push(`${kind}: ${detail}`),
  });
  const trainer = await engine.trainer('agent');
  const reference = await engine.reference('agent');
  const results: unknown[] = [];
  for (let epoch = 1; epoch <= 2; epoch++) {
    const sampler = await trainer.publish(`agent-${epoch}`);
    const ask = (seed: number) =>
      sampler.sample({
        messages: [{ role: 'user', content: 'abc' }],
        tools: [],
        n: 2,
        maxTokens: 5,
        temperature: 1,
        seed,
      });
    results.push(await Promise.all([1, 2, 3, 4].map(ask)), await reference.logprobs(DATA));
    results.push(await trainer.forwardBackward(DATA, { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2, klCoef: 0.1 }));
    results.push(await trainer.optimStep({ learningRate: 0.05 }));
    results.push((await trainer.save(`agent-${epoch}`)).sha256, await trainer.forward(DATA));
  }
  return JSON.stringify(results, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value));
}

interface Weather {
  notes?: string[];
  quirks?: { dedupes?: boolean };
  /** Long enough for whatever passes, unless a test waits for the end of it. */
  maxOutageSeconds?: number;
}

const IMPATIENT = { maxOutageSeconds: 0.4 };

async function through(schedule: Event[], { notes = [], quirks = {}, maxOutageSeconds = 60 }: Weather = {}) {
  const disk: Disk = new Map();
  const server = await fakeServer(quirks, 'tml-secret-of-the-test', disk);
  const proxy = await chaosProxy({ upstream: () => server.url, restart: async () => server.restart(), schedule });
  disposables.push(
    () => server[Symbol.asyncDispose](),
    () => proxy.close(),
  );
  try {
    return { outcome: await play(proxy.url, notes, maxOutageSeconds), proxy };
  } catch (error) {
    return { stopped: error as Error, proxy };
  }
}

describe('a run through a proxy', () => {
  let calm: Awaited<ReturnType<typeof through>>;
  beforeAll(async () => {
    calm = await through([]);
  }, 60_000);

  it.each(FAULTS.filter((fault: string) => fault !== 'expiredKey') as string[])(
    'ends as on a calm day when traffic is %s for a while, in the probe, in training and at the end',
    async (fault) => {
      const requests = calm.proxy.seen();
      const ends = [5, requests - 40, requests - 8].map((at) => through([{ at, fault, lasts: 2 }]));
      for (const { outcome, stopped, proxy } of await Promise.all(ends)) {
        expect(stopped).toBeUndefined();
        expect(outcome).toBe(calm.outcome);
        expect(proxy.met()).toContain(fault);
      }
    },
  );

  it('stops with a reason that names no key when the key expires, and when the server stays away', async () => {
    const forever = Number.MAX_SAFE_INTEGER;
    const notes: string[] = [];
    const expired = await through([{ at: 150, fault: 'expiredKey', lasts: forever }], { notes });
    expect(expired.stopped).toBeInstanceOf(EngineStopped);
    expect(expired.stopped?.message).toMatch(/401: The API key has expired\. Put a valid key into TINKER_API_KEY/);
    const gone = await through([{ at: 150, fault: 'down', lasts: forever }], { notes, ...IMPATIENT });
    expect(gone.stopped).toBeInstanceOf(EngineStopped);
    expect(gone.stopped?.message).toMatch(/has not answered as it should for .* Resume the run when it is back/);
    const wrong = await through([{ at: 180, fault: 'nan', lasts: forever }], { notes, ...IMPATIENT });
    expect(wrong.stopped?.message).toMatch(/log-prob .* is NaN/);
    expect(notes.join('\n')).toMatch(/serverAway: The server/);
    for (const text of [...notes, expired.stopped?.message, gone.stopped?.message])
      expect(text).not.toContain('secret-of');
  });

  it.each([true, false])(
    'ends as on a calm day or stops with a reason, on random schedules (dedupes: %s)',
    async (dedupes) => {
      const quiet = await through([], { quirks: { dedupes } });
      const played = async (seed: number) => {
        const all = randomSchedule(createRng(seed).fork('chaos'), quiet.proxy.seen()) as Event[];
        // A request that something on the way repeats is run twice by such a server, and nobody can know.
        const schedule = all.filter(({ fault }) => dedupes || fault !== 'duplicated');
        const { outcome, stopped } = await through(schedule, { quirks: { dedupes }, ...IMPATIENT });
        if (stopped) expect(stopped, JSON.stringify(schedule)).toBeInstanceOf(EngineStopped);
        else expect(outcome, JSON.stringify(schedule)).toBe(quiet.outcome);
      };
      await Promise.all(Array.from({ length: 10 }, (_, i) => played(i + 1)));
    },
  );
});
