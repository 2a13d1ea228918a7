/**
 * Compares the engine with PyTorch: gradients of every loss against autograd, logits against transformers. `npm run
 * check:torch -- --python PATH` exits with 1 where they differ; `--golden FILE` records the logits for the test suite.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tokenLoss } from '../../dist/core/loss.js';
import { saveModelFolder } from '../../dist/engines/local/files/hugging-face.js';
import { SafetensorsFile } from '../../dist/engines/local/files/safetensors.js';
import { modelConfig } from '../../dist/engines/local/model/config.js';
import { modelLayout, tensorOf } from '../../dist/engines/local/model/layout.js';
import { mixSeed, normalStream, uniformStream } from '../../dist/engines/local/random.js';
import { GradientRunner } from '../../dist/engines/local/train/gradient-runner.js';
import { microBatches } from '../../dist/engines/local/train/micro-batch.js';
import { allLogits } from './logits.mjs';

const { values: options } = parseArgs({
  options: { python: { type: 'string', default: 'python3' }, golden: { type: 'string' } },
});
const GRADIENT_TOLERANCE = 1e-5;
const LOGIT_TOLERANCE = 1e-4;

const size = { vocabulary: 96, width: 64, layers: 3, heads: 4, mlpWidth: 160, context: 64, ropeTheta: 10_000 };
const models = {
  'qwen2-tied': modelConfig({ ...size, kvHeads: 2, qkvBias: true }),
  'llama-untied': modelConfig({ ...size, tiedHead: false }),
};
const losses = {
  crossEntropy: { kind: 'crossEntropy' },
  importanceSampling: { kind: 'importanceSampling' },
  clipped: { kind: 'clipped', clipLow: 0.2, clipHigh: 0.3, klCoef: 0.1 },
};

const seeds = { weights: 3, noise: 5 };

/** Of each matrix. Not how a new model starts: its branches write so little that a mistake in them would hardly show. */
const deviations = (config) =>
  Object.fromEntries(
    modelLayout(config)
      .tensors.filter(({ shape }) => shape.length === 2)
      .map(({ name, shape }) => [name, 1 / Math.sqrt(shape[1])]),
  );

/** Away from the symmetric start, where gains are one and biases vanish. The golden test makes the same from its record. */
function weightsOf(config) {
  const layout = modelLayout(config);
  const flat = new Float32Array(layout.length);
  for (const { name, offset, size } of layout.tensors) {
    const own = normalStream(mixSeed(seeds.weights, name));
    const deviation = deviations(config)[name];
    const constant = name.endsWith('norm.weight') ? 1 : 0;
    for (let i = offset; i < offset + size; i++) flat[i] = deviation === undefined ? constant : own() * deviation;
  }
  const noise = normalStream(seeds.noise);
  return flat.map((x) => x + 0.05 * noise());
}

function sequences(config) {
  const centre = -Math.log(config.vocabulary);
  return [40, 9, 23].map((length, s) => {
    const random = uniformStream(s + 1);
    const numbers = (f) => Float32Array.from({ length }, () => f(random()));
    return {
      tokens: Int32Array.from({ length }, () => Math.floor(random() * config.vocabulary)),
      weights: numbers((x) => (x < 0.2 ? 0 : x)).fill(0, 0, 1),
      advantages: numbers((x) => 2 * x - 1),
      logprobs: numbers((x) => centre + x - 0.5),
      reference: numbers((x) => centre + x - 0.5),
    };
  });
}

let failed = false;
const report = (what, error, tolerance) => {
  failed ||= !(error <= tolerance);
  console.log(
    `${error <= tolerance ? 'ok  ' : 'FAIL'} ${what.padEnd(44)} ${error.toExponential(2)} (at most ${tolerance})`,
  );
};

for (const [name, config] of Object.entries(models)) {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-torch-'));
  const weights = weightsOf(config);
  const data = sequences(config);
  await saveModelFolder(folder, { config, weights, tokenizer: {} });
  const plain = data.map((datum) =>
    Object.fromEntries(Object.entries(datum).map(([key, values]) => [key, [...values]])),
  );
  await writeFile(join(folder, 'check.json'), JSON.stringify({ data: plain, losses }));
  execFileSync(options.python, [fileURLToPath(new URL('torch_check.py', import.meta.url)), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const theirs = JSON.parse(await readFile(join(folder, 'torch.json'), 'utf8'));

  const runner = new GradientRunner(config);
  for (const [kind, loss] of Object.entries(losses)) {
    const gradient = new Float32Array(runner.trainable.length);
    let value = 0;
    for (const batch of microBatches(data, { maxTokens: 64 })) {
      const logp = await runner.accumulate({ base: weights }, batch, loss, gradient);
      for (const [i, x] of logp.entries()) value += tokenLoss(loss, data[batch.datum[i]], batch.entry[i], x).loss;
    }
    report(`${name}: ${kind} loss`, Math.abs(value / theirs.losses[kind] - 1), GRADIENT_TOLERANCE);
    const file = await SafetensorsFile.open(join(folder, `${kind}.safetensors`));
    let worst = { error: 0, tensor: '' };
    for (const { name: tensor, shape, size: count } of runner.trainable.tensors) {
      const expected = new Float32Array(count);
      await file.read(tensor, shape, expected);
      const actual = tensorOf(runner.trainable, gradient, tensor);
      const difference = Math.hypot(...actual.map((x, i) => x - expected[i]));
      const error = difference / Math.hypot(...expected);
      if (!(error <= worst.error)) worst = { error, tensor };
    }
    await file[Symbol.asyncDispose]();
    report(`${name}: ${kind}, worst of ${worst.tensor.replace('model.', '')}`, worst.error, GRADIENT_TOLERANCE);
  }
  await runner[Symbol.asyncDispose]();

  const logits = await Promise.all(data.map((datum) => allLogits(config, weights, datum.tokens)));
  const error = Math.max(
    ...logits.map((ours, s) => Math.max(...ours.map((x, i) => Math.abs(x - theirs.logits[s][i])))),
  );
  report(`${name}: logits against transformers`, error, LOGIT_TOLERANCE);
  if (options.golden && name === 'qwen2-tied') {
    const last = data.map(({ tokens }, s) => ({
      tokens: [...tokens],
      logits: theirs.logits[s].slice(-config.vocabulary),
    }));
    await writeFile(
      options.golden,
      `${JSON.stringify({ config, seeds, deviations: deviations(config), sequences: last })}\n`,
    );
  }
  await rm(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
