/** The local engine learns: by heart, from reward alone, and towards a target distribution. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Datum } from '../src/core/engine.ts';
import { type LocalEngine, localEngine } from '../src/engines/local/engine.ts';
import { modelLayout } from '../src/engines/local/model/layout.ts';
import { uniformStream } from '../src/engines/local/random.ts';
import { learningRate } from '../src/engines/local/train/schedule.ts';
import { grpoStep, reversalCorpus, reversals, rollout } from './engine-tasks.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-learning-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Size = { width: number; layers: number; heads: number; context: number };
function engineOf(corpus: string[], size: Size): Promise<LocalEngine> {
  const tokenizer = { kind: 'words' as const, vocabulary: 512, corpus };
  return localEngine({ model: { kind: 'new', size, tokenizer }, seed: 1, checkpoints: folder, threads: 2 });
}

describe('the local engine learns', () => {
  it('200 sequences by heart, with a model of a million parameters', async () => {
    const words = Array.from(
      { length: 250 },
      (_, i) => ` w${'abcdefghij'[i % 10]}${'klmnopqrstuvwxyz'[Math.floor(i / 10) % 16]}${i > 159 ? 'x' : ''}`,
    );
    await using engine = await engineOf(words, { width: 128, layers: 4, heads: 4, context: 64 });
    const { config } = engine.players.agent.spec;
    expect(modelLayout(config).parameters).toBeGreaterThan(1_000_000);
    const random = uniformStream(3);
    const data: Datum[] = Array.from({ length: 200 }, (_, i) => {
      const tokens = Int32Array.from({ length: 24 }, () => 6 + Math.floor(random() * (config.vocabulary - 6)));
      // Two tokens name the sequence; the rest is to be recited.
      tokens.set([6 + (i % 100), 6 + Math.floor(i / 100)]);
      return { tokens, weights: Float32Array.from(tokens, (_, t) => (t < 2 ? 0 : 1 / (200 * 22))) };
    });
    const trainer = await engine.trainer('agent');
    let loss = Number.POSITIVE_INFINITY;
    let step = 0;
    for (; loss >= 0.05 && step < 300; step++) {
      ({ loss } = await trainer.forwardBackward(data, { kind: 'crossEntropy' }));
      await trainer.optimStep({ learningRate: learningRate({ peak: 0.003, warmupSteps: 10 }, step), maxGradNorm: 1 });
    }
    console.log(`memorised to ${loss.toFixed(4)} in ${step} steps`);
    expect(loss).toBeLessThan(0.05);
  });

  it('to reverse strings from reward alone, in under three minutes on two cores', async () => {
    await using engine = await engineOf(reversalCorpus, { width: 64, layers: 2, heads: 4, context: 32 });
    const trainer = await engine.trainer('agent');
    const reference = await engine.reference('agent');
    const held = reversals(100, 3, 777_777);
    const success = async () => {
      const attempts = await rollout(await trainer.publish('exam'), held, { group: 4, maxTokens: 6, seed: 9 });
      return attempts.filter((attempt) => attempt.success).length / attempts.length;
    };
    const before = await success();
    const start = performance.now();
    let rate = 0;
    let step = 0;
    for (; rate < 0.96 && step < 400 && performance.now() - start < 180_000; step++) {
      const sampler = await trainer.publish(`v${step}`);
      const attempts = await rollout(sampler, reversals(64, 3, step), { group: 8, maxTokens: 6, seed: step });
      rate = attempts.filter((attempt) => attempt.success).length / attempts.length;
      await grpoStep(trainer, attempts, { learningRate: 0.003, klCoef: 0.02, reference });
    }
    const seconds = (performance.now() - start) / 1000;
    const after = await success();
    console.log(`reversal: ${before.toFixed(2)} → ${after.toFixed(2)} in ${step} steps, ${seconds.toFixed(0)} s`);
    expect(before).toBeLessThanOrEqual(0.2);
    expect(after).toBeGreaterThanOrEqual(0.9);
    expect(seconds).toBeLessThan(180);
  });

  it('a target distribution by reward-weighted regression, with the KL under its cap', async () => {
    const words = ['one', 'two', 'three', 'four', 'five'];
    await using engine = await engineOf(words, { width: 32, layers: 2, heads: 2, context: 16 });
    const trainer = await engine.trainer('environment');
    const { chat, tokenizer } = engine.players.environment;
    const prompt = chat.prompt([{ role: 'user', content: 'one' }], []);
    const sequence = (word: string, weight: number): Datum => {
      const written = [...tokenizer.encode(word), chat.end];
      const tokens = Int32Array.from([...prompt, ...written]);
      return { tokens, weights: Float32Array.from(tokens, (_, t) => (t < prompt.length ? 0 : weight)) };
    };
    const distribution = async () => {
      const logprobs = await trainer.forward(words.map((word) => sequence(word, 1)));
      return logprobs.map((row) => Math.exp(row.reduce((sum, x) => sum + x, 0)));
    };
    const regress = async (weights: readonly number[], steps: number, rate: number) => {
      for (let i = 0; i < steps; i++) {
        await trainer.forwardBackward(
          words.map((word, k) => sequence(word, weights[k]!)),
          { kind: 'crossEntropy' },
        );
        await trainer.optimStep({ learningRate: rate, maxGradNorm: 1 });
      }
    };
    await regress(
      words.map(() => 0.2),
      60,
      0.01,
    );
    const start = await distribution();
    const sampler = await trainer.publish('start');
    const { samples } = await sampler.sample({
      messages: [{ role: 'user', content: 'one' }],
      tools: [],
      n: 2000,
      maxTokens: 4,
      temperature: 1,
      seed: 4,
    });

    const [lambda, reward] = [0.5, [0, 0.5, 0, 1, 0]];
    const tilt = start.map((p, k) => p * Math.exp(reward[k]! / lambda));
    const target = tilt.map((x) => x / tilt.reduce((a, b) => a + b, 0));
    const kl = (p: readonly number[], q: readonly number[]) =>
      p.reduce((sum, x, k) => sum + x * Math.log(x / q[k]!), 0);
    const cap = 1.5 * kl(target, start);

    const counts = words.map((word) => samples.filter((sample) => sample.text.trim() === word).length);
    const weighted = counts.map((count, k) => count * Math.exp(reward[k]! / lambda));
    const weights = weighted.map((x) => x / weighted.reduce((a, b) => a + b, 0));
    let largest = 0;
    for (let round = 0; round < 30; round++) {
      await regress(weights, 5, 0.001);
      largest = Math.max(largest, kl(await distribution(), start));
    }
    const end = await distribution();
    const distance = end.reduce((sum, p, k) => sum + Math.abs(p - target[k]!), 0) / 2;
    console.log(
      `regression: distance to the target ${distance.toFixed(3)}, KL at most ${largest.toFixed(3)} of ${cap.toFixed(3)}`,
    );
    expect(distance).toBeLessThan(0.05);
    expect(largest).toBeLessThan(cap);
  });
});
