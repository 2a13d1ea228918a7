/** The whole model's gradient, for every loss, against finite differences of a double-precision evaluation. */
import { describe, expect, it } from 'vitest';
import { type Array64, evaluate64 } from '../../../../test/engine-float64.ts';
import type { Datum, Loss } from '../../../core/engine.ts';
import { tokenLoss } from '../../../core/loss.ts';
import { normalStream, uniformStream } from '../random.ts';
import { GradientRunner } from '../train/gradient-runner.ts';
import { type MicroBatch, microBatches } from '../train/micro-batch.ts';
import { scoreGraph } from './batch-graph.ts';
import { type LoraConfig, type ModelConfig, modelConfig } from './config.ts';
import { initialiseLora, initialiseModel } from './initialise.ts';
import { type Layout, loraLayout, modelLayout } from './layout.ts';

const size = { vocabulary: 11, width: 8, layers: 2, heads: 2, mlpWidth: 12, context: 16 };
const tied = modelConfig({ ...size, kvHeads: 1, qkvBias: true });
const untied = modelConfig({ ...size, tiedHead: false });

const losses: Record<string, Loss> = {
  'cross-entropy': { kind: 'crossEntropy' },
  'cross-entropy with KL': { kind: 'crossEntropy', klCoef: 0.3 },
  'importance sampling': { kind: 'importanceSampling' },
  'clipped with KL': { kind: 'clipped', clipLow: 0.2, clipHigh: 0.3, klCoef: 0.1 },
};

describe('the model gradient equals finite differences in double precision', () => {
  for (const [name, loss] of Object.entries(losses)) {
    it(`for ${name}, grouped queries, biases and a tied head`, () => check(tied, loss));
  }
  it('for an untied head', () => check(untied, { kind: 'crossEntropy' }));
  it('for adapters on a frozen base', () => check(tied, losses['clipped with KL']!, { rank: 2, alpha: 4 }));
  it('for adapters on the output layer, tied to the embedding or not', async () => {
    await check(tied, { kind: 'crossEntropy' }, { rank: 2, alpha: 4, on: ['attention', 'mlp', 'head'] });
    await check(untied, { kind: 'crossEntropy' }, { rank: 2, alpha: 4, on: ['head'] });
  });
});

async function check(config: ModelConfig, loss: Loss, lora?: LoraConfig): Promise<void> {
  const base = noisy(modelLayout(config), initialiseModel(config, 3), 5);
  const adapter = lora ? noisy(loraLayout(config, lora), initialiseLora(config, lora, 4), 6) : undefined;
  const data = sequences(config);
  const [batch, ...others] = microBatches(data, { maxTokens: 64 });
  expect(others).toEqual([]);
  expect(batch!.batch, 'two sequences share a row').toBeLessThan(3);

  await using runner = new GradientRunner(config, { lora });
  const gradient = new Float32Array(runner.trainable.length);
  const logprobs = await runner.accumulate({ base, adapter }, batch!, loss, gradient);
  const scored = await runner.score({ base, adapter }, batch!);
  for (const [i, logprob] of logprobs.entries()) expect(scored[i]).toBeCloseTo(logprob, 5);

  const graph = scoreGraph(config, lora);
  const trained = adapter ?? base;
  const lossAt = (flat: Float64Array): number => {
    const frozen = adapter ? arrays(modelLayout(config), Float64Array.from(base)) : {};
    const feeds = { ...frozen, ...arrays(runner.trainable, flat), ...batchArrays(batch!) };
    const logp = evaluate64(graph, feeds).logprobs!.data;
    return logp.reduce((sum, l, i) => sum + tokenLoss(loss, data[batch!.datum[i]!]!, batch!.entry[i]!, l).loss, 0);
  };
  const pick = uniformStream(17);
  const scale = Math.max(...gradient.map(Math.abs));
  for (const { name, offset, size: count } of runner.trainable.tensors) {
    for (let n = 0; n < 3; n++) {
      const at = offset + Math.floor(pick() * count);
      const flat = Float64Array.from(trained);
      const h = 1e-5;
      const numeric = (lossAt(flat.with(at, flat[at]! + h)) - lossAt(flat.with(at, flat[at]! - h))) / (2 * h);
      expect(Math.abs(gradient[at]! - numeric) / scale, `${name}[${at - offset}]`).toBeLessThan(1e-5);
    }
  }
}

/** Away from the symmetric start, where gains are one and biases and adapters vanish. */
function noisy(layout: Layout, flat: Float32Array, seed: number): Float32Array {
  const normal = normalStream(seed);
  for (const { offset, size: count } of layout.tensors) {
    for (let i = offset; i < offset + count; i++) flat[i]! += 0.2 * normal();
  }
  return flat;
}

function sequences(config: ModelConfig): Datum[] {
  return [13, 4, 9].map((length, s) => {
    const random = uniformStream(s + 1);
    const numbers = (f: (x: number) => number) => Float32Array.from({ length }, () => f(random()));
    const weights = numbers((x) => (x < 0.2 ? 0 : x));
    weights[0] = 0;
    return {
      tokens: Int32Array.from({ length }, () => Math.floor(random() * config.vocabulary)),
      weights,
      advantages: numbers((x) => 2 * x - 1),
      // Around log(1/11), so that some ratios are inside the clip band and some outside.
      logprobs: numbers((x) => -2.4 + 2 * (x - 0.5)),
      reference: numbers((x) => -2.4 + 2 * (x - 0.5)),
    };
  });
}

function arrays(layout: Layout, flat: Float64Array): Record<string, Array64> {
  return Object.fromEntries(
    layout.tensors.map((t) => [t.name, { data: flat.subarray(t.offset, t.offset + t.size), dims: [...t.shape] }]),
  );
}

function batchArrays(batch: MicroBatch): Record<string, Array64> {
  const ids = (data: BigInt64Array, dims: number[]) => ({ data: Float64Array.from(data, Number), dims });
  const grid = [batch.batch, batch.length];
  return {
    tokens: ids(batch.tokens, grid),
    positions: ids(batch.positions, grid),
    segments: ids(batch.segments, grid),
    rows: ids(batch.rows, [batch.rows.length]),
    targets: ids(batch.targets, [batch.rows.length, 1]),
  };
}
