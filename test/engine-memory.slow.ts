/** A thousand rounds of publish, sample, train and save leave memory where it was. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localEngine } from '../src/engines/local/engine.ts';
import { grpoStep, reversalCorpus, reversals, rollout } from './engine-tasks.ts';

it('holds memory flat over a thousand steps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-memory-'));
  await using engine = await localEngine({
    model: {
      kind: 'new',
      size: { width: 96, layers: 3, heads: 4, context: 64 },
      tokenizer: { kind: 'words', vocabulary: 64, corpus: reversalCorpus },
    },
    seed: 1,
    checkpoints: folder,
    threads: 2,
  });
  const trainer = await engine.trainer('agent');
  const resident: number[] = [];
  for (let step = 0; step < 1000; step++) {
    const sampler = await trainer.publish(`v${step}`);
    // Lengths vary, so that buffers of many sizes come and go.
    const length = 2 + (step % 7);
    const attempts = await rollout(sampler, reversals(4, length, step), {
      group: 4,
      maxTokens: 4 + length,
      seed: step,
    });
    await grpoStep(trainer, attempts, { learningRate: 1e-4 });
    if (step % 100 === 99) {
      const checkpoint = await trainer.save('kept');
      await trainer.load(checkpoint);
      resident.push(process.memoryUsage().rss / 2 ** 20);
    }
  }
  await rm(folder, { recursive: true });
  console.log(`resident MB after each hundred steps: ${resident.map((x) => x.toFixed(0)).join(' ')}`);
  const early = Math.max(...resident.slice(1, 4));
  const late = Math.max(...resident.slice(-3));
  // Collectors of several threads saw up and down by a tenth; a leak of one version a step would be double.
  expect(late - early).toBeLessThan(0.25 * early);
});
