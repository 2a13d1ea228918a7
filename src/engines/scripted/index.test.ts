import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequest } from '../../benchmarks/toy/language.ts';
import { TOY_SCRIPTS } from '../../benchmarks/toy/scripts.ts';
import type { Datum, Sample, SampleRequest, Trainer } from '../../core/engine.ts';
import type { Script } from '../../core/script.ts';
import { sequences } from '../../core/sequences.ts';
import type { Message } from '../../core/types.ts';
import { type ScriptedOptions, scriptedEngine } from './index.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'genenv-scripted-'));
const open = (options: Partial<ScriptedOptions> = {}) =>
  scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: folder(), ...options });

const ask = (content: string): Message[] => [{ role: 'user', content }];
const RING: Message[] = ask('Ring the red bell 3 times, then count down from 9 in 4 steps.');
const WRITE: Message[] = ask('Target: about 50% of its attempts.');

const request = (messages: Message[], changes: Partial<SampleRequest> = {}): SampleRequest => ({
  messages,
  tools: [],
  n: 4,
  maxTokens: 100,
  temperature: 1,
  seed: 7,
  ...changes,
});

/** Trains a few steps on its own samples, so that weights and optimizer state are no longer those of the start. */
async function train(trainer: Trainer, steps: number, seed = 1) {
  for (let step = 0; step < steps; step++) {
    const sampler = await trainer.publish('x');
    const { prompt, samples } = await sampler.sample(request(RING, { seed: seed + step, n: 8 }));
    const data = samples.flatMap((sample) =>
      sequences([{ prompt, tokens: sample.tokens, logprobs: sample.logprobs }]).map(
        (datum): Datum => ({
          ...datum,
          advantages: new Float32Array(datum.tokens.length).fill(sample.tokens.reduce((a, b) => a + b) - 5),
        }),
      ),
    );
    await trainer.forwardBackward(data, { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 });
    await trainer.optimStep({ learningRate: 0.05, beta1: 0.9 });
  }
}

describe('sampling', () => {
  it('is decided by the seed of the request alone, whatever was sampled before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 }), async (seeds) => {
        const fresh = async (seed: number) => (await open().sampler('agent')).sample(request(RING, { seed }));
        const sampler = await open().sampler('agent');
        for (const seed of seeds) {
          expect(await sampler.sample(request(RING, { seed }))).toEqual(await fresh(seed));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('gives the first samples whether or not more are asked for, and all of them different streams', async () => {
    const sampler = await open().sampler('environment');
    const { samples: many } = await sampler.sample(request(WRITE, { n: 16 }));
    const { samples: few } = await sampler.sample(request(WRITE, { n: 3 }));
    expect(many.slice(0, 3)).toEqual(few);
    expect(new Set(many.map((s) => s.text)).size).toBeGreaterThan(12);
  });

  it('has the log-probs that forward() gives the same tokens, at any temperature and over several turns', async () => {
    const trainer = await open().trainer('agent');
    await train(trainer, 3);
    const sampler = await trainer.publish('agent-3');
    for (const temperature of [0, 0.3, 1, 2]) {
      const first = await sampler.sample(request(RING, { n: 1, temperature }));
      const said = first.samples[0]!;
      const messages: Message[] = [
        ...RING,
        { role: 'assistant', content: said.text, tokens: said.tokens },
        ...ask('Open doors B, D in reverse order.'),
      ];
      const second = await sampler.sample(request(messages, { n: 1, temperature, seed: 8 }));
      const turn = ({ prompt, samples: [s] }: { prompt: Int32Array; samples: Sample[] }) => ({
        prompt,
        tokens: s!.tokens,
        logprobs: s!.logprobs,
      });
      const data = sequences([turn(first), turn(second)]);
      expect(data).toHaveLength(1);
      const [logprobs] = await trainer.forward(data);
      expect(logprobs).toEqual(data[0]!.logprobs);
    }
  });

  it('follows its distribution, sharper when colder', async () => {
    const sampler = await open().sampler('agent');
    const share = async (temperature: number) => {
      const { samples } = await sampler.sample(request(RING, { n: 600, temperature }));
      return samples.reduce((sum, s) => sum + s.tokens.reduce((a, b) => a + b, 0), 0) / (600 * 7);
    };
    const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
    // 4,200 steps at 0.88: four standard deviations are 0.02.
    expect(Math.abs((await share(1)) - sigmoid(2))).toBeLessThan(0.02);
    expect(Math.abs((await share(2)) - sigmoid(1))).toBeLessThan(0.028);
    expect(await share(0)).toBe(1);
  });

  it('cuts a reply off at its limit and says so', async () => {
    const sampler = await open().sampler('agent');
    const { samples } = await sampler.sample(request(RING, { maxTokens: 3, n: 1 }));
    expect(samples[0]).toMatchObject({ stop: 'length', text: '' });
    expect(samples[0]!.tokens).toHaveLength(3);
    const { samples: whole } = await sampler.sample(request(RING, { maxTokens: 7, n: 1 }));
    expect(whole[0]!.stop).toBe('stop');
  });

  it('stops before it starts when cancelled', async () => {
    const sampler = await open().sampler('agent');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(sampler.sample(request(RING, { signal }))).rejects.toThrow('stopped');
  });

  it('from a published version stays as it was, whatever is trained afterwards', async () => {
    const trainer = await open().trainer('agent');
    const early = await trainer.publish('agent-0');
    const before = await early.sample(request(RING));
    await train(trainer, 5);
    expect(await early.sample(request(RING))).toEqual(before);
    const late = await trainer.publish('agent-5');
    expect((await late.sample(request(RING))).samples[0]!.logprobs).not.toEqual(before.samples[0]!.logprobs);
    expect([early.version, late.version]).toEqual(['agent-0', 'agent-5']);
  });

  it('refuses a script that asks for a row it does not have, by name', async () => {
    const wrong: Script = { rows: { a: [0, 0] }, decisions: () => ['b'], text: () => '' };
    const sampler = await open({ scripts: { ...TOY_SCRIPTS, agent: wrong } }).sampler('agent');
    await expect(sampler.sample(request(RING))).rejects.toThrow(
      'asks for a decision "b" that its table has no row for',
    );
  });

  it('answers a request outside the language with no call at all', async () => {
    const sampler = await open().sampler('agent');
    const { samples, prompt } = await sampler.sample(request(ask('Sing a song.'), { n: 1 }));
    expect(samples[0]).toMatchObject({ text: '[]', stop: 'stop' });
    expect([...prompt]).toEqual([0]);
  });
});

describe('the reference', () => {
  it('is the start, for log-probs and for samples, whatever the trainer does', async () => {
    const engine = open();
    const reference = await engine.reference('agent');
    const trainer = await engine.trainer('agent');
    const start = await (await trainer.publish('agent-0')).sample(request(RING));
    const data = sequences([{ prompt: start.prompt, ...start.samples[0]! }]);
    const [before] = await trainer.forward(data);
    await train(trainer, 3);
    expect(await reference.sample(request(RING))).toEqual(start);
    expect(await reference.logprobs(data)).toEqual([before]);
    expect(await trainer.forward(data)).not.toEqual([before]);
  });
});

describe('the teacher', () => {
  it('writes every option equally often', async () => {
    const { samples } = await open()
      .teacher()
      .sample(request(WRITE, { n: 3600 }));
    for (const decision of [1, 2, 3]) {
      const counts = new Array<number>(9).fill(0);
      for (const { tokens } of samples) counts[tokens[decision]!]!++;
      // Chi-square with 8 degrees of freedom: 26.1 has a tail of 0.001.
      const chi = counts.reduce((sum, n) => sum + (n - 400) ** 2 / 400, 0);
      expect(chi).toBeLessThan(26.1);
    }
  });

  it('knows nothing of how the environment is trained, and its tasks are of the same language', async () => {
    const { samples } = await open()
      .teacher()
      .sample(request(WRITE, { n: 64 }));
    const tasks = samples.filter((s) => s.tokens[0] === 1 && s.tokens.slice(1).some((level) => level > 0));
    expect(tasks.length).toBeGreaterThan(20);
    for (const { text } of tasks) expect(parseRequest(JSON.parse(text).prompt[0].content)).toBeDefined();
  });
});

describe('checkpoints', () => {
  it('bring back weights and optimizer state bit for bit', async () => {
    const trainer = await open().trainer('agent');
    await train(trainer, 3);
    const saved = await trainer.save('middle');
    await train(trainer, 4, 50);
    const straight = await trainer.save('end');
    await train(trainer, 2, 90);
    await trainer.load(saved);
    expect((await trainer.save('middle again')).sha256).toBe(saved.sha256);
    await train(trainer, 4, 50);
    expect((await trainer.save('end again')).sha256).toBe(straight.sha256);
    expect(straight.sha256).not.toBe(saved.sha256);
  });

  it('can be loaded by another process of the same run', async () => {
    const checkpoints = folder();
    const trainer = await open({ checkpoints }).trainer('agent');
    await train(trainer, 3);
    const saved = await trainer.save('agent-3');
    const other = await open({ checkpoints }).trainer('agent');
    await other.load(saved);
    expect((await other.save('copy')).sha256).toBe(saved.sha256);
  });

  it('forget gradients that were not yet applied', async () => {
    const trainer = await open().trainer('agent');
    const saved = await trainer.save('start');
    const datum: Datum = { tokens: Int32Array.of(1, 0, 1), weights: Float32Array.of(0, 0, 1) };
    await trainer.forwardBackward([datum], { kind: 'crossEntropy' });
    await trainer.load(saved);
    expect(await trainer.optimStep({ learningRate: 1 })).toEqual({ gradNorm: 0 });
  });

  it.each([
    ['changed', (text: string) => text.replace('2', '3')],
    ['cut short', (text: string) => text.slice(0, -20)],
    ['empty', () => ''],
  ])('that were %s are refused, and the weights stay', async (_, tamper) => {
    const checkpoints = folder();
    const trainer = await open({ checkpoints }).trainer('agent');
    const saved = await trainer.save('agent-0');
    await train(trainer, 2);
    const { sha256 } = await trainer.save('now');
    const file = join(checkpoints, 'agent-0.json');
    writeFileSync(file, tamper(readFileSync(file, 'utf8')));
    await expect(trainer.load(saved)).rejects.toThrow(
      'Checkpoint agent-0 does not match its checksum: the file was changed or cut short.',
    );
    expect((await trainer.save('now')).sha256).toBe(sha256);
  });

  it('of another script are refused', async () => {
    const checkpoints = folder();
    const engine = open({ checkpoints });
    const saved = await (await engine.trainer('environment')).save('environment-0');
    const trainer = await engine.trainer('agent');
    await expect(trainer.load(saved)).rejects.toThrow(
      /Checkpoint environment-0 is of another script: it has rows wellFormed/,
    );
  });

  it('are written whole or not at all, and discarded without complaint', async () => {
    const checkpoints = join(folder(), 'made', 'when', 'needed');
    const trainer = await open({ checkpoints }).trainer('agent');
    const saved = await trainer.save('agent-0');
    expect(saved).toMatchObject({ player: 'agent', ref: 'agent-0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(readdirSync(checkpoints)).toEqual(['agent-0.json']);
    await trainer.discard(saved);
    await trainer.discard(saved);
    expect(existsSync(join(checkpoints, 'agent-0.json'))).toBe(false);
    await expect(trainer.load(saved)).rejects.toThrow();
  });
});

it('encodes a conversation as its sampler sees it', async () => {
  const engine = open();
  const trainer = await engine.trainer('environment');
  const sampler = await engine.sampler('environment');
  expect(await trainer.encode(WRITE, [])).toEqual((await sampler.sample(request(WRITE))).prompt);
});

it('gathers gradients over calls until the step, and then starts from nothing', async () => {
  const trainer = await open().trainer('agent');
  const datum: Datum = { tokens: Int32Array.of(1, 0, 1), weights: Float32Array.of(0, 0, 1) };
  await trainer.forwardBackward([datum], { kind: 'crossEntropy' });
  const { loss } = await trainer.forwardBackward([datum], { kind: 'crossEntropy' });
  const twice = (await trainer.optimStep({ learningRate: 1e-12 })).gradNorm;
  await trainer.forwardBackward([datum], { kind: 'crossEntropy' });
  const once = (await trainer.optimStep({ learningRate: 1e-12 })).gradNorm;
  expect(twice / once).toBeCloseTo(2, 9);
  expect(loss).toBeCloseTo(Math.log(1 + Math.exp(-2)), 12);
});
