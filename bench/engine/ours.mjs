/** The engine's side of the bench: whole calls of its public interface, worker threads and messages included. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTokenizer, localEngine } from '../../dist/engines/local/index.js';

/** S and M of the feasibility study. */
export const MODELS = {
  S: { vocabulary: 512, width: 128, layers: 4, heads: 4, mlpWidth: 512, train: { batch: 32, length: 128 } },
  M: { vocabulary: 2048, width: 256, layers: 6, heads: 4, mlpWidth: 1024, train: { batch: 32, length: 256 } },
};

export const SAMPLING = { rows: 64, prompt: 64, tokens: 64 };
export const GRPO = { tasks: 64, group: 8, prompt: 64, tokens: 64 };

/** Words of three letters, so that the vocabulary has exactly the size asked for. */
function vocabularyWords(count) {
  const letter = (i) => 'abcdefghijklmnopqrstuvwxyz'[i % 26];
  return Array.from(
    { length: count },
    (_, i) => ` ${letter(Math.floor(i / 676))}${letter(Math.floor(i / 26))}${letter(i)}`,
  );
}

export async function openBench(name, threads) {
  const { vocabulary, train, ...size } = MODELS[name];
  const words = vocabularyWords(vocabulary - 6);
  const checkpoints = await mkdtemp(join(tmpdir(), 'genenv-bench-'));
  const engine = await localEngine({
    model: {
      kind: 'new',
      size: { ...size, context: 1024 },
      tokenizer: { json: buildTokenizer(words, { kind: 'words', vocabulary }) },
    },
    seed: 1,
    checkpoints,
    threads,
  });
  const trainer = await engine.trainer('agent');
  const content = (i, length) => Array.from({ length }, (_, t) => words[(i * 977 + t * 31) % words.length]).join('');

  async function trainStep() {
    const data = Array.from({ length: train.batch }, (_, i) => {
      const tokens = Int32Array.from(
        { length: train.length + 1 },
        (_, t) => (i * 7919 + t * 31 * (i + 1)) % vocabulary,
      );
      const weights = new Float32Array(tokens.length).fill(1 / (train.batch * train.length));
      weights[0] = 0;
      return { tokens, weights };
    });
    const start = performance.now();
    await trainer.forwardBackward(data, { kind: 'crossEntropy' });
    await trainer.optimStep({ learningRate: 1e-4, maxGradNorm: 1 });
    return (performance.now() - start) / 1000;
  }

  /** Three tokens of a prompt are the turn's own. */
  async function rollouts(sampler, { tasks, group, prompt, tokens }) {
    return Promise.all(
      Array.from({ length: tasks }, (_, i) =>
        sampler.sample({
          messages: [{ role: 'user', content: content(i, prompt - 3) }],
          tools: [],
          n: group,
          maxTokens: tokens,
          temperature: 1,
          seed: i,
        }),
      ),
    );
  }

  /** Seconds a token, since a row may stop early by chance. */
  async function sample(group) {
    const sampler = await engine.sampler('agent');
    const start = performance.now();
    const { rows, prompt, tokens } = SAMPLING;
    const completions = await rollouts(sampler, { tasks: rows / group, group, prompt, tokens });
    const seconds = (performance.now() - start) / 1000;
    return seconds / completions.flatMap((c) => c.samples).reduce((sum, s) => sum + s.tokens.length, 0);
  }

  async function grpoStep() {
    const start = performance.now();
    const sampler = await trainer.publish('bench');
    const completions = await rollouts(sampler, GRPO);
    const data = completions.flatMap(({ prompt, samples }) =>
      samples.map((s, i) => {
        const pad = new Float32Array(prompt.length);
        const join = (values) => Float32Array.from([...pad, ...values]);
        const count = s.tokens.length;
        return {
          tokens: Int32Array.from([...prompt, ...s.tokens]),
          weights: join(new Float32Array(count).fill(1 / (count * GRPO.tasks * GRPO.group))),
          logprobs: join(s.logprobs),
          advantages: join(new Float32Array(count).fill(i % 2 ? 1 : -1)),
        };
      }),
    );
    await trainer.forwardBackward(data, { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 });
    await trainer.optimStep({ learningRate: 1e-4, maxGradNorm: 1 });
    return (performance.now() - start) / 1000;
  }

  return {
    config: engine.players.agent.spec.config,
    trainStep,
    sample,
    grpoStep,
    async close() {
      await engine[Symbol.asyncDispose]();
      await rm(checkpoints, { recursive: true, force: true });
    },
  };
}
