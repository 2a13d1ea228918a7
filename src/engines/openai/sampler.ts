/** Samples from a server: one request for all of them where it takes that, one for each where it does not. */
import type { Completion, SampleRequest, Sampler } from '../../core/engine.ts';
import { type Answer, readAnswer } from './answer.ts';
import { type Body, bodyOf, type Dialect } from './body.ts';
import type { Client } from './client.ts';
import { ServerFault } from './fault.ts';
import { PATHS } from './probe.ts';
import type { OpenAiSettings } from './settings.ts';
import type { meter } from './usage.ts';

export interface SamplerParts {
  client: Client;
  settings: OpenAiSettings;
  /** Shared by all samplers of an engine: what one of them learns about the server holds for all. */
  dialect: Dialect;
  meter: ReturnType<typeof meter>;
}

export function serverSampler(parts: SamplerParts): Sampler {
  const { settings, dialect } = parts;
  return {
    version: settings.model,
    async sample(request): Promise<Completion> {
      const { n, seed, temperature } = request;
      const body = bodyOf(settings, dialect, request);
      if (n === 1) return completion([await askFor(parts, request, body, 1, seed)]);
      // Some servers refuse several samples of what they take for one certain answer.
      if (!dialect.several || temperature === 0) return completion(await oneByOne(parts, request, body, 0));
      try {
        const first = await askFor(parts, request, body, n, seed);
        const missing = await oneByOne(parts, request, body, first.samples.length);
        return completion([first, ...missing]);
      } catch (error) {
        if (!(error instanceof ServerFault) || error.kind !== 'refused') throw error;
        // One alone tells whether it was their number that was refused.
        const first = await askFor(parts, request, body, 1, seed);
        dialect.several = false;
        return completion([first, ...(await oneByOne(parts, request, body, 1))]);
      }
    },
  };
}

/** The samples from `from` on, each with a seed of its own. */
function oneByOne(parts: SamplerParts, request: SampleRequest, body: Body, from: number): Promise<Answer[]> {
  const indices = Array.from({ length: request.n - from }, (_, i) => from + i);
  return Promise.all(indices.map((i) => askFor(parts, request, body, 1, spread(request.seed, i))));
}

/** Seeds that no neighbour uses: the golden ratio's steps lie far apart. */
const spread = (seed: number, index: number) => (seed + Math.imul(index, 0x9e3779b1)) >>> 0;

async function askFor(
  { client, settings, meter }: SamplerParts,
  { maxTokens, signal }: SampleRequest,
  body: Body,
  n: number,
  seed: number,
): Promise<Answer> {
  const asked = { n, maxTokens, logprobs: settings.logprobs };
  return client.ask({
    path: PATHS[settings.mode],
    body: body(n, seed),
    signal,
    read(json) {
      const value = readAnswer(json, asked);
      const tokens = value.samples.reduce((sum, sample) => sum + sample.tokens.length, 0);
      meter.add(value.samples.length, value.count, value.count?.completion ?? tokens);
      for (const what of value.oddities) meter.odd(what);
      return { value, tokens };
    },
  });
}

const completion = (answers: readonly Answer[]): Completion => ({
  prompt: answers[0]?.prompt ?? new Int32Array(),
  samples: answers.flatMap(({ samples }) => samples),
});
