/** The engine as its users see it: worker threads, messages in, samples and updates out. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Datum, SampleRequest, Sampler } from '../../core/engine.ts';
import { type LocalEngine, type LocalEngineOptions, localEngine } from './engine.ts';

const corpus = ['red green blue one two three four five', 'say the colours then the numbers. done'];
const options = (extra: Partial<LocalEngineOptions> = {}): LocalEngineOptions => ({
  model: {
    kind: 'new',
    size: { width: 32, layers: 2, heads: 2, context: 96 },
    tokenizer: { kind: 'words', vocabulary: 64, corpus },
  },
  seed: 5,
  checkpoints: folder,
  threads: 2,
  ...extra,
});

let folder: string;
let engine: LocalEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-engine-'));
  engine = await localEngine(options());
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const request = (content: string, extra: Partial<SampleRequest> = {}): SampleRequest => ({
  messages: [{ role: 'user', content }],
  tools: [],
  n: 3,
  maxTokens: 12,
  temperature: 1,
  seed: 11,
  ...extra,
});

/** Sampled text as training data: weight on what was written. */
async function sampled(sampler: Sampler, content: string): Promise<Datum[]> {
  const { prompt, samples } = await sampler.sample(request(content));
  return samples.map((sample, i) => {
    const tokens = Int32Array.from([...prompt, ...sample.tokens]);
    const spread = (values: Float32Array) => Float32Array.from([...prompt.map(() => 0), ...values]);
    const weights = spread(new Float32Array(sample.tokens.length).fill(1 / sample.tokens.length));
    const logprobs = spread(sample.logprobs);
    return { tokens, weights, logprobs, advantages: weights.map(() => i - 1), reference: logprobs };
  });
}

describe('the local engine', () => {
  it('samples, and training agrees on the log-probs', async () => {
    const sampler = await engine.sampler('agent');
    const data = await sampled(sampler, 'red green');
    const reference = await engine.reference('agent');
    for (const logprobs of [await reference.logprobs(data), await (await engine.trainer('agent')).forward(data)]) {
      for (const [i, datum] of data.entries()) {
        for (const [t, logprob] of logprobs[i]!.entries())
          expect(Math.abs(logprob - datum.logprobs![t]!)).toBeLessThan(1e-4);
      }
    }
  });

  it('gives every concurrent caller what it would get alone', async () => {
    const sampler = await engine.sampler('agent');
    const texts = ['red', 'green blue', 'one two three', 'say the colours', 'done'];
    const together = await Promise.all(texts.map((text) => sampler.sample(request(text))));
    for (const [i, text] of texts.entries()) expect(together[i]).toEqual(await sampler.sample(request(text)));
  });

  it('cuts text at a stop string and reports the limit', async () => {
    const sampler = await engine.sampler('agent');
    const { samples } = await sampler.sample(request('red', { n: 8, maxTokens: 30 }));
    const longest = samples.reduce((a, b) => (a.text.length > b.text.length ? a : b));
    const [word] = longest.text.trim().split(' ');
    const { samples: stopped } = await sampler.sample(request('red', { n: 8, maxTokens: 30, stop: [word!] }));
    for (const [i, { text, tokens, stop }] of stopped.entries()) {
      expect(text).not.toContain(word);
      if (samples[i]!.text.includes(word!))
        expect([stop, tokens.length <= samples[i]!.tokens.length]).toEqual(['stop', true]);
    }
  });

  it('learns, publishes immutable versions, saves, and continues from a checkpoint exactly', async () => {
    const trainer = await engine.trainer('agent');
    const data = await sampled(await engine.sampler('agent'), 'one two');
    const target = data.map(({ tokens, weights }) => ({ tokens, weights }));
    const before = await trainer.publish('v0');
    const frozen = await before.sample(request('one'));
    const losses: number[] = [];
    const steps = async (count: number) => {
      for (let i = 0; i < count; i++) {
        losses.push((await trainer.forwardBackward(target, { kind: 'crossEntropy' })).loss);
        const { gradNorm } = await trainer.optimStep({ learningRate: 0.01, maxGradNorm: 1 });
        expect(gradNorm).toBeGreaterThan(0);
      }
    };
    await steps(5);
    const checkpoint = await trainer.save('five');
    await steps(5);
    const straight = losses.slice(5);
    await trainer.load(checkpoint);
    await steps(5);
    expect(losses.slice(10)).toEqual(straight);
    expect(losses[9]).toBeLessThan(losses[0]! / 2);
    expect(await before.sample(request('one'))).toEqual(frozen);
    const after = await trainer.publish('v1');
    expect(after.version).toBe('v1');
    expect(await after.sample(request('one'))).not.toEqual(frozen);
    await trainer.discard(checkpoint);
    await expect(trainer.load(checkpoint)).rejects.toThrow('ENOENT');
  });

  it('keeps the latest versions, and says when one is gone', async () => {
    const trainer = await engine.trainer('environment');
    const samplers: Sampler[] = [];
    for (let i = 0; i < 6; i++) {
      samplers.push(await trainer.publish(`v${i}`));
      await trainer.forwardBackward(await sampled(samplers[i]!, 'red'), { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: 0.01 });
    }
    await expect(samplers[1]!.sample(request('red'))).rejects.toThrow('only the latest published versions are kept');
    const kept = await Promise.all(samplers.slice(2).map((sampler) => sampler.sample(request('red'))));
    expect(new Set(kept.map(({ samples }) => samples[0]!.logprobs.join())).size).toBe(4);
  });

  it('is a function of its seed: two engines give the same losses and samples', async () => {
    const story = async () => {
      await using fresh = await localEngine(options({ seed: 9, checkpoints: join(folder, 'seeded') }));
      const trainer = await fresh.trainer('environment');
      const data = await sampled(await fresh.sampler('environment'), 'blue');
      const losses: number[] = [];
      for (let i = 0; i < 3; i++) {
        losses.push(
          (await trainer.forwardBackward(data, { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2, klCoef: 0.1 })).loss,
        );
        await trainer.optimStep({ learningRate: 0.01 });
      }
      return { losses, sample: await (await trainer.publish('v')).sample(request('blue')) };
    };
    expect(await story()).toEqual(await story());
  });

  it('accumulates over calls: two halves give the step of the whole', async () => {
    const step = async (parts: (data: Datum[]) => Datum[][]) => {
      await using fresh = await localEngine(options({ checkpoints: join(folder, 'halves') }));
      const trainer = await fresh.trainer('agent');
      const sampler = await fresh.sampler('agent');
      const data = [...(await sampled(sampler, 'red')), ...(await sampled(sampler, 'four five'))];
      for (const part of parts(data)) await trainer.forwardBackward(part, { kind: 'crossEntropy' });
      return (await trainer.optimStep({ learningRate: 0.01 })).gradNorm;
    };
    expect(await step((data) => [data.slice(0, 2), data.slice(2)])).toBeCloseTo(await step((data) => [data]), 4);
  });

  it('trains adapters over one base, which stays as it was', async () => {
    await using adapted = await localEngine(
      options({ lora: { rank: 4, alpha: 8 }, checkpoints: join(folder, 'lora') }),
    );
    const { agent, environment } = adapted.players;
    expect(agent.initial.base).toBe(environment.initial.base);
    const trainer = await adapted.trainer('agent');
    const data = await sampled(await adapted.sampler('agent'), 'one');
    const first = await trainer.forwardBackward(data, { kind: 'crossEntropy' });
    for (let i = 0; i < 8; i++) {
      await trainer.forwardBackward(data.slice(2), { kind: 'crossEntropy' });
      await trainer.optimStep({ learningRate: 0.02 });
    }
    const reference = await adapted.reference('agent');
    expect(await reference.logprobs(data)).toEqual(first.logprobs);
    const published = await trainer.publish('adapted');
    const again = await sampled(published, 'one');
    const scored = await trainer.forward(again);
    for (const [i, datum] of again.entries()) {
      for (const [t, logprob] of scored[i]!.entries())
        expect(Math.abs(logprob - datum.logprobs![t]!)).toBeLessThan(1e-4);
    }
    expect(scored).not.toEqual(await reference.logprobs(again));
  });

  it('stops when asked, with the caller’s reason, and goes on afterwards', async () => {
    const sampler = await engine.sampler('agent');
    const abort = new AbortController();
    const long = sampler.sample(request('red', { maxTokens: 80, n: 16, signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('changed my mind')), 20);
    await expect(long).rejects.toThrow('changed my mind');
    expect((await sampler.sample(request('red'))).samples).toHaveLength(3);
    const trainer = await engine.trainer('agent');
    const data = await sampled(sampler, 'red');
    await expect(trainer.forwardBackward(data, { kind: 'crossEntropy' }, AbortSignal.abort())).rejects.toThrow('abort');
  });

  it('refuses bad data and names it', async () => {
    const trainer = await engine.trainer('agent');
    const datum = (extra: Partial<Datum>): Datum[] => [
      { tokens: Int32Array.of(1, 2, 3), weights: Float32Array.of(0, 1, 1), ...extra },
    ];
    const ce = { kind: 'crossEntropy' } as const;
    await expect(trainer.forwardBackward([], ce)).rejects.toThrow('the batch is empty');
    await expect(trainer.forwardBackward(datum({ tokens: Int32Array.of(1, 9999, 3) }), ce)).rejects.toThrow(
      'datum 0: token id 9999 at 1 is outside the vocabulary',
    );
    await expect(trainer.forwardBackward(datum({ weights: Float32Array.of(1, 1, 1) }), ce)).rejects.toThrow(
      'weights[0]',
    );
    await expect(trainer.forwardBackward(datum({ weights: Float32Array.of(0, 1) }), ce)).rejects.toThrow(
      '2 entries for 3',
    );
    await expect(trainer.forwardBackward(datum({}), { kind: 'importanceSampling' })).rejects.toThrow('needs logprobs');
    const long = { tokens: new Int32Array(97), weights: new Float32Array(97) };
    await expect(trainer.forwardBackward([long], ce)).rejects.toThrow('97 tokens exceed the model');
    const sampler = await engine.sampler('agent');
    await expect(sampler.sample(request('red '.repeat(100)))).rejects.toThrow("the model's context is 96");
  });

  it('keeps the main thread free while it works', async () => {
    const sampler = await engine.sampler('agent');
    /** The share of the time that its loop was busy, or kept waiting by others on this machine. */
    const busyShare = async () => {
      const before = performance.eventLoopUtilization();
      await Promise.all(
        Array.from({ length: 8 }, (_, seed) => sampler.sample(request('red', { n: 8, maxTokens: 60, seed }))),
      );
      return performance.eventLoopUtilization(before).utilization;
    };
    const shares: number[] = [];
    for (let i = 0; i < 4; i++) shares.push(await busyShare());
    // The least disturbed one is closest to what the engine itself takes.
    expect(Math.min(...shares)).toBeLessThan(2 / 3);
  });

  it('turns a closed engine into errors with a reason', async () => {
    const doomed = await localEngine(options({ checkpoints: join(folder, 'doomed') }));
    const sampler = await doomed.sampler('agent');
    await doomed[Symbol.asyncDispose]();
    await expect(sampler.sample(request('red'))).rejects.toThrow('the engine was closed');
  });
});
