/**
 * A Hugging Face folder made here: its logits against those of `transformers`, recorded by
 * `npm run check:torch -- --python PATH --golden test/fixtures/engine-qwen2-logits.json`, then training, saving, reloading.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Datum } from '../src/core/engine.ts';
import { localEngine } from '../src/engines/local/engine.ts';
import { loadModelFolder, saveModelFolder } from '../src/engines/local/files/hugging-face.ts';
import { GraphSession } from '../src/engines/local/graph/session.ts';
import { logitsGraph } from '../src/engines/local/model/batch-graph.ts';
import type { ModelConfig } from '../src/engines/local/model/config.ts';
import { weightFeeds } from '../src/engines/local/model/feeds.ts';
import { modelLayout } from '../src/engines/local/model/layout.ts';
import { mixSeed, normalStream } from '../src/engines/local/random.ts';
import { buildTokenizer } from '../src/engines/local/tokenizer/build.ts';

interface Golden {
  config: ModelConfig;
  seeds: { weights: number; noise: number };
  /** Of each matrix. Recorded too: how models start may change, and this one must not. */
  deviations: Record<string, number>;
  sequences: { tokens: number[]; logits: number[] }[];
}

let folder: string;
let golden: Golden;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-golden-'));
  golden = JSON.parse(await readFile(new URL('fixtures/engine-qwen2-logits.json', import.meta.url), 'utf8'));
  const weights = recordedWeights(golden);
  const tokenizer = buildTokenizer(['one two three'], { kind: 'words', vocabulary: golden.config.vocabulary });
  await saveModelFolder(join(folder, 'qwen2'), { config: golden.config, weights, tokenizer });
});
afterAll(() => rm(folder, { recursive: true }));

/** The weights that `transformers` was given: gains of one, no biases, random matrices, and noise on all of it. */
function recordedWeights({ config, seeds, deviations }: Golden): Float32Array {
  const layout = modelLayout(config);
  const flat = new Float32Array(layout.length);
  for (const { name, offset, size } of layout.tensors) {
    const own = normalStream(mixSeed(seeds.weights, name));
    const deviation = deviations[name];
    const constant = name.endsWith('norm.weight') ? 1 : 0;
    for (let i = offset; i < offset + size; i++) flat[i] = deviation === undefined ? constant : own() * deviation;
  }
  const noise = normalStream(seeds.noise);
  return flat.map((x) => x + 0.05 * noise());
}

describe('a Qwen2 folder', () => {
  it('gives the logits of transformers', async () => {
    const { config, weights } = await loadModelFolder(join(folder, 'qwen2'));
    await using session = await GraphSession.create(logitsGraph(config));
    for (const { tokens, logits } of golden.sequences) {
      const ids = (f: (t: number) => number) => ({
        data: BigInt64Array.from(tokens, (_, t) => BigInt(f(t))),
        dims: [1, tokens.length],
      });
      const feeds = { tokens: ids((t) => tokens[t]!), positions: ids((t) => t), segments: ids(() => 0) };
      const results = await session.run({ ...weightFeeds(config, { base: weights }), ...feeds });
      const last = (results.logits!.data as Float32Array).slice(-config.vocabulary);
      for (const [i, expected] of logits.entries()) expect(Math.abs(last[i]! - expected)).toBeLessThan(1e-4);
    }
  });

  it.each([undefined, { rank: 4, alpha: 8 }])('trains, saves and reloads (adapters: %o)', async (lora) => {
    const data: Datum[] = golden.sequences.map(({ tokens }) => ({
      tokens: Int32Array.from(tokens),
      weights: Float32Array.from(tokens, (_, t) => (t === 0 ? 0 : 1 / tokens.length)),
    }));
    const open = (path: string, adapters = lora) =>
      localEngine({
        model: { kind: 'folder', path },
        seed: 1,
        checkpoints: join(folder, 'checkpoints'),
        threads: 1,
        ...(adapters ? { lora: adapters } : {}),
      });
    const trained = join(folder, lora ? 'adapted' : 'trained');
    let after: Float32Array[];
    {
      await using engine = await open(join(folder, 'qwen2'));
      const trainer = await engine.trainer('agent');
      const losses: number[] = [];
      for (let i = 0; i < 5; i++) {
        losses.push((await trainer.forwardBackward(data, { kind: 'crossEntropy' })).loss);
        await trainer.optimStep({ learningRate: 0.01 });
      }
      expect(losses.at(-1)).toBeLessThan(losses[0]! * 0.95);
      after = await trainer.forward(data);
      await engine.exportModel('agent', trained);
    }
    await using reloaded = await open(trained, undefined);
    const scored = await (await reloaded.trainer('agent')).forward(data);
    for (const [i, row] of scored.entries()) {
      for (const [t, logprob] of row.entries()) expect(Math.abs(logprob - after[i]![t]!)).toBeLessThan(1e-4);
    }
  });
});
