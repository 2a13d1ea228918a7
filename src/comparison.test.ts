/** The report of a real run that was changed while it went on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { collectRun, comparisonOfOne } from './comparison.ts';
import { loadConfig } from './config.ts';
import { newToken, requestControl } from './control.ts';
import { inBand } from './core/curriculum.ts';
import { tempFolder } from './fixtures.ts';
import { writeReport } from './report/index.ts';
import { createRunFolder, play } from './run.ts';
import { openReader } from './store/index.ts';

it('α in the report is that of each epoch, from the changes on record', async () => {
  const folder = join(tempFolder(), 'run');
  const { config } = loadConfig({
    overrides: { engine: 'scripted', epochs: 4, generation: { seedsPerEpoch: 8 }, curriculum: { rollouts: 4 } },
  });
  createRunFolder(folder, config);
  const token = newToken();
  const never = new AbortController().signal;
  for await (const event of play(folder, config, { stop: never, signal: never }, { controlToken: token })) {
    if (event.type !== 'progress' || event.phase !== 'rollout' || event.done < event.units) continue;
    const ask = (setting: 'alpha' | 'agent.learningRate', value: number) =>
      requestControl(folder, token, { kind: 'set', setting, value }, 'Dana');
    if (event.epoch === 2) ask('alpha', 0.25);
    if (event.epoch === 3) ask('agent.learningRate', 0.02);
    // Never comes into force: the run ends before.
    if (event.epoch === 4) ask('alpha', 0.9);
  }

  const run = await collectRun({ run: 'run', folder, config });
  expect(run.alphaSteps).toEqual([{ epoch: 3, alpha: 0.25 }]);
  expect(run.changes).toMatchObject([
    { who: 'Dana', what: 'alpha 0.5 → 0.25', from: 'epoch 3' },
    { what: 'agent.learningRate 0.01 → 0.02', from: 'updateAgent of epoch 3' },
    { what: 'alpha 0.25 → 0.9', from: 'epoch 5' },
  ]);
  // What was measured in the loop is against the α of then, too.
  using reader = openReader(folder);
  for (const [epoch, alpha] of [
    [2, 0.5],
    [3, 0.25],
  ] as const) {
    const judged = [...reader.outcomes(epoch, 'fresh')].filter(({ attempts }) => attempts > 0);
    const inside = judged.filter((o) => inBand(o.successes / o.attempts, { alpha, kMin: config.curriculum.kMin }));
    expect(reader.metrics(epoch)['env/bandShare']).toBeCloseTo(inside.length / judged.length);
  }

  const comparison = await comparisonOfOne({ run: 'run', folder, config }, 'genenv train', '2026-03-01T12:00:00Z');
  const { html, markdown } = await writeReport(folder, comparison);
  const legend = 'band to aim at, 0.5 ± 0.1, from epoch 3 on 0.25 ± 0.1';
  expect(readFileSync(html, 'utf8')).toContain(legend);
  expect(readFileSync(join(folder, 'figures', 'generated-success.svg'), 'utf8')).toContain(legend);
  expect(readFileSync(markdown, 'utf8')).toContain('agent.learningRate 0.01 → 0.02');
});
