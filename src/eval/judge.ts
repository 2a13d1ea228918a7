/** Another model as a judge of answers, for protocols that leave the verdict to one: the engine of a configuration. */
import { loadConfig } from '../config.ts';
import type { Ask } from '../core/exam.ts';
import { createRng, seedOf } from '../core/rng.ts';
import type { Examinee } from './open-sampler.ts';
import { replyText } from './reply-text.ts';

export interface OpenJudge extends AsyncDisposable {
  /** Undefined without a configuration: then there is no judge. */
  ask: Ask | undefined;
  /** Who has judged; null where nobody had to. */
  model(): string | null;
}

const MAX_TOKENS = 1024;

/** The engine is opened when the first answer is to be judged. */
export function openJudge(file: string | undefined, signal: AbortSignal): OpenJudge {
  if (file === undefined) return { ask: undefined, model: () => null, [Symbol.asyncDispose]: async () => {} };
  const { config } = loadConfig({ file });
  let opening: Promise<Examinee> | undefined;
  let version: string | null = null;
  return {
    async ask(messages, { tools = [], maxTokens = MAX_TOKENS } = {}) {
      opening ??= import('./open-sampler.ts').then(({ openModel }) => openModel(config, signal));
      const { sampler } = await opening;
      version = sampler.version;
      const seed = seedOf(createRng(config.seed).fork('judge', JSON.stringify(messages)));
      const { samples } = await sampler.sample({ messages, tools, n: 1, maxTokens, temperature: 0, seed, signal });
      if (!samples[0]) throw new Error('the judge returned no sample');
      return replyText(samples[0]);
    },
    model: () => version,
    [Symbol.asyncDispose]: async () => (await opening)?.[Symbol.asyncDispose](),
  };
}
