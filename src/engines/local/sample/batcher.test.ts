import { describe, expect, it } from 'vitest';
import type { Datum } from '../../../core/engine.ts';
import { type LoraConfig, modelConfig } from '../model/config.ts';
import { weightFeeds } from '../model/feeds.ts';
import { initialiseLora, initialiseModel } from '../model/initialise.ts';
import { normalStream, uniformStream } from '../random.ts';
import { GradientRunner } from '../train/gradient-runner.ts';
import { microBatches } from '../train/micro-batch.ts';
import { Batcher, type SampleJob } from './batcher.ts';
import type { Row } from './row.ts';
import type { ServedModel } from './serve-sessions.ts';

const config = modelConfig({ vocabulary: 50, width: 32, layers: 2, heads: 4, kvHeads: 2, context: 160, qkvBias: true });
const noise = normalStream(4);
/** Not as a new model starts, which repeats what it read last: attention and layers have a say in every token. */
const base = initialiseModel(config, 1).map((x) => x + 0.2 * noise());
const lora: LoraConfig = { rank: 4, alpha: 8 };
const normal = normalStream(2);
const adapter = initialiseLora(config, lora, 3).map((x) => x + 0.1 * normal());
const plain: ServedModel = { key: 'plain', config, weights: weightFeeds(config, { base }) };
const adapted: ServedModel = { key: 'adapted', config, lora, weights: weightFeeds(config, { base, adapter }, lora) };

function job(model: ServedModel, length: number, options: Partial<SampleJob> = {}): SampleJob {
  const random = uniformStream(length);
  const prompt = Int32Array.from({ length }, () => Math.floor(random() * config.vocabulary));
  return { model, prompt, n: 1, maxTokens: 20, temperature: 1, stopTokens: [0], seed: length, ...options };
}

async function drain(batcher: Batcher): Promise<void> {
  while (!batcher.idle) await batcher.step();
}

async function alone(spec: SampleJob): Promise<readonly Row[]> {
  await using batcher = new Batcher();
  const rows = batcher.submit(spec);
  await drain(batcher);
  return rows;
}

const written = (rows: readonly Row[]) => rows.map(({ tokens, logprobs, stop }) => ({ tokens, logprobs, stop }));

describe('the sampler', () => {
  it('reports the log-probs that training computes, for ragged and packed rows, with and without an adapter', async () => {
    for (const model of [plain, adapted]) {
      await using batcher = new Batcher({ maxRows: 8 });
      const jobs = [3, 1, 70, 12, 33].map((length) => job(model, length, { n: 3 }));
      const results = Promise.all(jobs.map((spec) => batcher.submit(spec)));
      await drain(batcher);
      const data: Datum[] = [];
      const sampled: number[] = [];
      for (const [index, rows] of (await results).entries()) {
        for (const row of rows) {
          const prompt = jobs[index]!.prompt;
          const tokens = Int32Array.from([...prompt, ...row.tokens]);
          data.push({ tokens, weights: Float32Array.from(tokens, (_, t) => Number(t >= prompt.length)) });
          sampled.push(...row.logprobs);
        }
      }
      await using runner = new GradientRunner(config, { lora: model.lora });
      const scored = data.map((datum) => new Float32Array(datum.tokens.length));
      for (const batch of microBatches(data, { maxTokens: 300 })) {
        const logprobs = await runner.score({ base, adapter: model.lora && adapter }, batch);
        for (const [i, logprob] of logprobs.entries()) scored[batch.datum[i]!]![batch.entry[i]!] = logprob;
      }
      const trained = data.flatMap((datum, i) => [...scored[i]!].filter((_, t) => datum.weights[t] !== 0));
      expect(trained.length).toBe(sampled.length);
      for (const [i, logprob] of sampled.entries()) expect(Math.abs(trained[i]! - logprob)).toBeLessThan(1e-4);
    }
  });

  it('gives a row the same tokens and the same log-probs, bit for bit, whatever runs beside it', async () => {
    for (const [n, temperature] of [
      [3, 0],
      [3, 0.9],
      [1, 0.9],
    ] as const) {
      const watched = job(plain, 21, { n, temperature, maxTokens: 40 });
      const expected = written(await alone(watched));
      for (const others of [[5], [70, 90], [2, 7, 100, 30, 41, 64]]) {
        await using batcher = new Batcher({ maxRows: 24 });
        const side = others.map((length) => batcher.submit(job(plain, length, { n: n === 1 ? 1 : 4, maxTokens: 60 })));
        for (let i = 0; i < others.length; i++) await batcher.step();
        // One of about its length, so that their prompts are read in one run.
        side.push(batcher.submit(job(plain, 25, { n })));
        const rows = batcher.submit(watched);
        await drain(batcher);
        await Promise.all(side);
        expect(written(await rows)).toEqual(expected);
      }
    }
  });

  it('lets rows in as others leave', async () => {
    await using batcher = new Batcher({ maxRows: 4 });
    const jobs = Array.from({ length: 9 }, (_, i) => job(plain, 5 + i, { n: 2, maxTokens: 3 + 5 * (i % 3) }));
    const results = Promise.all(jobs.map((spec) => batcher.submit(spec)));
    await drain(batcher);
    for (const [i, rows] of (await results).entries()) expect(written(rows)).toEqual(written(await alone(jobs[i]!)));
  });

  it('shares the prompt among more samples than a group holds', async () => {
    const rows = await alone(job(plain, 9, { n: 37, maxTokens: 4 }));
    expect(rows).toHaveLength(37);
    expect(new Set(rows.map((row) => row.tokens.join())).size).toBeGreaterThan(20);
  });

  it('stops at stop tokens, at the limit, at a caller’s rule and at the context', async () => {
    const stops = Array.from({ length: config.vocabulary }, (_, id) => id);
    const [first] = await alone(job(plain, 4, { stopTokens: stops }));
    expect([first!.tokens.length, first!.stop]).toEqual([1, 'stop']);
    const [limited] = await alone(job(plain, 4, { stopTokens: [], maxTokens: 7 }));
    expect([limited!.tokens.length, limited!.stop]).toEqual([7, 'length']);
    const [ruled] = await alone(job(plain, 4, { stopTokens: [], stopWhen: (tokens) => tokens.length === 3 }));
    expect([ruled!.tokens.length, ruled!.stop]).toEqual([3, 'stop']);
    const [cut] = await alone(job(plain, 155, { stopTokens: [], maxTokens: 100 }));
    expect([cut!.tokens.length, cut!.stop]).toEqual([5, 'length']);
  });

  it('obeys a mask of allowed tokens', async () => {
    const allowed = new Uint8Array(config.vocabulary);
    allowed.set([1, 1, 1], 7);
    const rows = await alone(job(plain, 6, { n: 4, allowed }));
    expect(new Set(rows.flatMap((row) => row.tokens))).toEqual(new Set([7, 8, 9]));
  });

  it('drops an aborted job and keeps the others', async () => {
    await using batcher = new Batcher();
    const abort = new AbortController();
    const kept = batcher.submit(job(plain, 8, { n: 2 }));
    const dropped = batcher.submit(job(plain, 9, { n: 2, maxTokens: 50 }), abort.signal);
    await batcher.step();
    abort.abort(new Error('enough'));
    await expect(dropped).rejects.toThrow('enough');
    await drain(batcher);
    expect(written(await kept)).toEqual(written(await alone(job(plain, 8, { n: 2 }))));
  });

  it('keeps the others exact when a job is aborted in the middle of a step', async () => {
    await using batcher = new Batcher();
    const jobs = [12, 30, 7].map((length) => job(plain, length, { n: 2, stopTokens: [] }));
    const abort = new AbortController();
    const dropped = batcher.submit(job(plain, 9, { n: 2, maxTokens: 50 }), abort.signal);
    const rejected = expect(dropped).rejects.toThrow();
    const kept = jobs.map((spec) => batcher.submit(spec));
    for (let i = 0; i < 5; i++) await batcher.step();
    const stepping = batcher.step();
    abort.abort();
    await stepping;
    await rejected;
    await drain(batcher);
    for (const [i, rows] of kept.entries()) expect(written(await rows)).toEqual(written(await alone(jobs[i]!)));
  });

  it('fails the job whose mask forbids everything, and no other', async () => {
    await using batcher = new Batcher();
    const kept = batcher.submit(job(plain, 8, { n: 2 }));
    const hopeless = batcher.submit(job(plain, 9, { n: 2, allowed: new Uint8Array(config.vocabulary) }));
    const rejected = expect(hopeless).rejects.toThrow('no allowed token');
    await drain(batcher);
    await rejected;
    expect(written(await kept)).toEqual(written(await alone(job(plain, 8, { n: 2 }))));
  });

  it('refuses what it cannot sample, and says why', async () => {
    await using batcher = new Batcher();
    expect(() => batcher.submit(job(plain, 160))).toThrow(
      '160 tokens and the model’s context is 160'.replace('’', "'"),
    );
    expect(() => batcher.submit(job(plain, 3, { prompt: Int32Array.of(99) }))).toThrow('token id 99 is outside');
    expect(() => batcher.submit(job(plain, 3, { prompt: new Int32Array(0) }))).toThrow('the prompt is empty');
    expect(() => batcher.submit(job(plain, 3, { topP: 0 }))).toThrow('topP must be in (0, 1]');
    const broken: ServedModel = {
      ...plain,
      key: 'nan',
      weights: weightFeeds(config, { base: base.map(() => Number.NaN) }),
    };
    const rows = batcher.submit(job(broken, 3));
    const checked = expect(rows).rejects.toThrow('NaN');
    await drain(batcher);
    await checked;
  });
});
