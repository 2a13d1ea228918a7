/** The engine on a fake server: what is trained, what is sampled, and what becomes of it when things go wrong. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Datum, EngineStopped, type Loss, type SampleRequest } from '../../core/engine.ts';
import type { Checkpoint } from '../../core/types.ts';
import { tinkerEngine } from './engine.ts';
import type { Quirks } from './fake-model.ts';
import { type Disk, type FakeServer, fakeServer } from './fake-server.ts';
import { datum, letterChat, QUICK } from './fixtures.ts';

const disposables: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of disposables.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

async function open(
  quirks: Partial<Quirks> = {},
  more: { losses?: 'auto' | 'portable'; disk?: Disk; notes?: string[] } = {},
) {
  const server = await fakeServer(quirks, undefined, more.disk);
  disposables.push(server);
  return { server, engine: await connect(server, more) };
}

async function connect(server: FakeServer, more: { losses?: 'auto' | 'portable'; notes?: string[] } = {}) {
  const player = { base: 'table', chat: letterChat };
  const engine = await tinkerEngine({
    url: server.url,
    keyEnv: 'TINKER_API_KEY',
    ...QUICK,
    loraRank: 4,
    losses: more.losses ?? 'auto',
    players: { agent: { ...player, seed: 1 }, environment: { ...player, seed: 2 } },
    notice: (kind, detail) => more.notes?.push(`${kind}: ${detail}`),
  });
  disposables.push(engine);
  return engine;
}

const request = (more: Partial<SampleRequest> = {}): SampleRequest => ({
  messages: [{ role: 'user', content: 'hello' }],
  tools: [],
  n: 2,
  maxTokens: 6,
  temperature: 1,
  seed: 5,
  ...more,
});

/** Two sequences of different length, with weights, credit of both signs, old and reference log-probs. */
const DATA: Datum[] = [datum([3, 4, 5, 6, 7, 8], 3, 1.5), datum([9, 10, 11, 12, 13, 14, 15, 16, 17], 2, -0.7)];

const LOSSES: Loss[] = [
  { kind: 'crossEntropy' },
  { kind: 'crossEntropy', klCoef: 0.3 },
  { kind: 'importanceSampling' },
  { kind: 'clipped', clipLow: 0.2, clipHigh: 0.3 },
  { kind: 'clipped', clipLow: 0.2, clipHigh: 0.3, klCoef: 0.1 },
];

/** A step so small and an epsilon so large that the weights move along the gradient itself. */
const ALONG = { learningRate: 0.5, beta1: 0, beta2: 0, eps: 1 };

describe('training on a server', () => {
  it.each(LOSSES)(
    'takes the same step for $kind (KL $klCoef) however the server reduces and whatever it offers',
    async (loss) => {
      const results = [];
      for (const [quirks, losses] of [
        [{}, 'portable'],
        [{}, 'auto'],
        [{ reduction: 'requestMean' }, 'auto'],
        [{ reduction: 'stepMean' }, 'auto'],
        [{ mask: false, ppo: 'refuses' }, 'auto'],
        [{ extended: true }, 'auto'],
      ] as [Partial<Quirks>, 'auto' | 'portable'][]) {
        const { engine } = await open(quirks, { losses });
        const trainer = await engine.trainer('agent');
        const { loss: value, logprobs } = await trainer.forwardBackward(DATA, loss);
        const { gradNorm } = await trainer.optimStep(ALONG);
        results.push({ value, logprobs, gradNorm, after: await trainer.forward(DATA) });
      }
      const [first, ...others] = results;
      for (const other of others) {
        expect(other.value).toBeCloseTo(first!.value, 5);
        expect(other.gradNorm).toBeCloseTo(first!.gradNorm, 5);
        other.after.forEach((row, i) => {
          row.forEach((x, t) => {
            expect(x).toBeCloseTo(first!.after[i]![t]!, 5);
          });
        });
      }
      expect(first!.after).not.toEqual(first!.logprobs);
      expect(first!.after[0]![1]).toBe(0);
    },
  );

  it('keeps players apart, and the reference where it was', async () => {
    const { engine } = await open();
    const reference = await engine.reference('agent');
    const before = await reference.logprobs(DATA);
    const agent = await engine.trainer('agent');
    await agent.forwardBackward(DATA, { kind: 'crossEntropy' });
    await agent.optimStep({ learningRate: 0.1 });
    expect(await reference.logprobs(DATA)).toEqual(before);
    expect(await (await engine.trainer('environment')).forward(DATA)).toEqual(before);
    expect(await agent.forward(DATA)).not.toEqual(before);
  });

  it('goes back to a checkpoint with its optimizer, as after a step over the cap', async () => {
    const { engine } = await open();
    const trainer = await engine.trainer('environment');
    const step = async () => {
      await trainer.forwardBackward(DATA, { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: 0.1 });
    };
    await step();
    const saved = await trainer.save('environment-1');
    await step();
    const twice = await trainer.forward(DATA);
    await trainer.load(saved);
    await step();
    expect(await trainer.forward(DATA)).toEqual(twice);
  });

  it('is resumed from a checkpoint by another process', async () => {
    const { server, engine } = await open();
    const trainer = await engine.trainer('agent');
    await trainer.forwardBackward(DATA, { kind: 'crossEntropy' });
    await trainer.optimStep({ learningRate: 0.1 });
    const saved = await trainer.save('agent-1');
    const state = await trainer.forward(DATA);
    server.restart();
    const again = await (await connect(server)).trainer('agent');
    await again.load(JSON.parse(JSON.stringify(saved)) as Checkpoint);
    expect(await again.forward(DATA)).toEqual(state);
  });

  it('names a checkpoint by what it was trained from and on, where the server gives no checksum', async () => {
    const shas = [];
    for (const rate of [0.1, 0.1, 0.2]) {
      const { engine } = await open();
      const trainer = await engine.trainer('agent');
      await trainer.forwardBackward(DATA, { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: rate });
      shas.push((await trainer.save('agent-1')).sha256);
    }
    expect(shas[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(shas[1]).toBe(shas[0]);
    expect(shas[2]).not.toBe(shas[0]);
  });

  it('removes a checkpoint that nothing points at any more', async () => {
    const disk: Disk = new Map();
    const { engine } = await open({}, { disk });
    const trainer = await engine.trainer('agent');
    const saved = await trainer.save('agent-1');
    expect(disk.size).toBe(1);
    await trainer.discard(saved);
    expect(disk.size).toBe(0);
  });
});

describe('sampling from a server', () => {
  it('is decided by the seed, with the log-probs of a forward pass', async () => {
    const { engine } = await open();
    const trainer = await engine.trainer('agent');
    const sampler = await trainer.publish('agent-0');
    const { prompt, samples } = await sampler.sample(request());
    expect(samples).toHaveLength(2);
    expect(await sampler.sample(request())).toEqual({ prompt, samples });
    const { tokens, logprobs } = samples[0]!;
    const all = Int32Array.of(...prompt, ...tokens);
    const weights = new Float32Array(all.length).fill(1, prompt.length);
    const [scored] = await trainer.forward([{ tokens: all, weights }]);
    logprobs.forEach((x, t) => {
      expect(scored![prompt.length + t]).toBeCloseTo(x, 5);
    });
  });

  it('shortens seeds that the server would refuse', async () => {
    const { engine } = await open({ wideSeeds: false });
    const sampler = await (await engine.trainer('agent')).publish('agent-0');
    expect((await sampler.sample(request({ seed: 0xffff_ffff }))).samples).toHaveLength(2);
  });

  it('asks for samples one by one where several would be the same', async () => {
    const { engine } = await open({ several: false });
    const sampler = await (await engine.trainer('agent')).publish('agent-0');
    const { samples } = await sampler.sample(request({ n: 4, maxTokens: 8 }));
    expect(new Set(samples.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(1);
  });

  it.each(['latest', 'overwrites'] as const)(
    'refuses a version that was trained further, where sessions are %s',
    async (snapshots) => {
      const { engine } = await open({ snapshots });
      const trainer = await engine.trainer('agent');
      const old = await trainer.publish('agent-0');
      await trainer.forwardBackward(DATA, { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: 0.1 });
      await expect(old.sample(request())).rejects.toThrow(/agent-0 is gone/);
      expect((await (await trainer.publish('agent-1')).sample(request())).samples).toHaveLength(2);
    },
  );

  it('still samples an older version where sessions keep their weights', async () => {
    const { engine } = await open();
    const trainer = await engine.trainer('agent');
    const old = await trainer.publish('agent-0');
    const before = await old.sample(request());
    await trainer.forwardBackward(DATA, { kind: 'crossEntropy' });
    await trainer.optimStep({ learningRate: 0.1 });
    expect(await old.sample(request())).toEqual(before);
  });
});

describe('a server that restarts and forgets', () => {
  it.each([true, false])('is trained on as if it had not, nothing twice (dedupes: %s)', async (dedupes) => {
    const { engine: calm } = await open({ dedupes });
    const notes: string[] = [];
    const { engine, server } = await open({ dedupes }, { notes });
    const play = async (of: typeof engine, disturb: () => void) => {
      const trainer = await of.trainer('agent');
      await trainer.save('agent-0');
      await trainer.forwardBackward(DATA, { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: 0.1 });
      disturb();
      await trainer.forwardBackward(DATA, { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2, klCoef: 0.1 });
      disturb();
      await trainer.optimStep({ learningRate: 0.1 });
      const sampler = await trainer.publish('agent-1');
      disturb();
      return { samples: await sampler.sample(request()), after: await trainer.forward(DATA) };
    };
    expect(await play(engine, () => server.restart())).toEqual(await play(calm, () => {}));
    expect(notes.join('\n')).toContain('agent is made anew');
  });

  it('stops with a reason where its checkpoints are gone too', async () => {
    const disk: Disk = new Map();
    const { engine, server } = await open({}, { disk });
    const trainer = await engine.trainer('agent');
    await trainer.save('agent-0');
    disk.clear();
    server.restart();
    const lost = trainer.forward(DATA);
    await expect(lost).rejects.toThrow(EngineStopped);
    await expect(lost).rejects.toThrow(/Checkpoint not found/);
  });
});
