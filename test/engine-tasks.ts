/** Small learning problems for the local engine, shared by its learning tests and its bench. */
import type { Datum, Reference, Sampler, Trainer } from '../src/core/engine.ts';
import { uniformStream } from '../src/engines/local/random.ts';

export interface Attempt {
  datum: Datum;
  reward: number;
  success: boolean;
}

export interface Problem {
  prompt: string;
  /** Reward in [0, 1] and whether the answer is right. */
  judge(answer: string): { reward: number; success: boolean };
}

/** G samples of each problem, with group-centred advantages. */
export async function rollout(
  sampler: Sampler,
  problems: readonly Problem[],
  options: { group: number; maxTokens: number; seed: number },
): Promise<Attempt[]> {
  const groups = await Promise.all(
    problems.map(async (problem, index) => {
      const { prompt, samples } = await sampler.sample({
        messages: [{ role: 'user', content: problem.prompt }],
        tools: [],
        n: options.group,
        maxTokens: options.maxTokens,
        temperature: 1,
        seed: options.seed * 100_003 + index,
      });
      const judged = samples.map((sample) => problem.judge(sample.text.trim()));
      const mean = judged.reduce((sum, { reward }) => sum + reward, 0) / judged.length;
      const deviation = Math.sqrt(judged.reduce((sum, { reward }) => sum + (reward - mean) ** 2, 0) / judged.length);
      return samples.map((sample, i): Attempt => {
        const { reward, success } = judged[i]!;
        const pad = new Float32Array(prompt.length);
        const join = (values: Float32Array) => Float32Array.from([...pad, ...values]);
        const count = sample.tokens.length;
        return {
          reward,
          success,
          datum: {
            tokens: Int32Array.from([...prompt, ...sample.tokens]),
            weights: join(new Float32Array(count).fill(1 / (count * options.group * problems.length))),
            logprobs: join(sample.logprobs),
            advantages: join(new Float32Array(count).fill((reward - mean) / (deviation + 1e-4))),
          },
        };
      });
    }),
  );
  return groups.flat();
}

export interface GrpoOptions {
  learningRate: number;
  /** Pulls towards the player as it was: with a fresh model, towards exploring. */
  klCoef?: number;
  reference?: Reference;
}

export async function grpoStep(trainer: Trainer, attempts: readonly Attempt[], options: GrpoOptions): Promise<void> {
  const { learningRate, klCoef = 0, reference } = options;
  let data = attempts.map(({ datum }) => datum);
  if (klCoef === 0) data = data.filter(({ advantages }) => advantages?.some((a) => a !== 0));
  if (data.length === 0) return;
  const anchors = klCoef > 0 ? await reference?.logprobs(data) : undefined;
  if (anchors) data = data.map((datum, i) => ({ ...datum, reference: anchors[i]! }));
  await trainer.forwardBackward(data, { kind: 'clipped', clipLow: 0.2, clipHigh: 0.28, klCoef });
  await trainer.optimStep({ learningRate, maxGradNorm: 1 });
}

const LETTERS = 'abcdef';

/** Random strings to be written backwards: a share of the reward for every letter in its place. */
export function reversals(count: number, length: number, seed: number): Problem[] {
  const random = uniformStream(seed);
  return Array.from({ length: count }, () => {
    const letters = Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)]!);
    const target = letters.toReversed();
    return {
      prompt: letters.join(' '),
      judge(answer) {
        const written = answer.split(' ');
        const right = target.filter((letter, i) => written[i] === letter).length;
        const success = answer === target.join(' ');
        return { reward: success ? 1 : (0.8 * right) / Math.max(length, written.length), success };
      },
    };
  });
}

/** Every letter at the start of a line and after a space. */
export const reversalCorpus: string[] = LETTERS.split('').map((letter) => `${letter} ${letter}`);
