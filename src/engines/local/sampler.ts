/** Samplers of frozen weights: the conversation becomes ids here, a worker writes the rest. */
import type { Completion, Sample, SampleRequest, Sampler } from '../../core/engine.ts';
import type { LocalModel } from './player.ts';
import type { WorkerPool } from './worker/pool.ts';
import type { SampleArguments, SampledRow, SharedWeights } from './worker/protocol.ts';

/** What this engine's samplers take beyond the common request. */
export interface LocalSampleRequest extends SampleRequest {
  /** 1 where a token may be chosen. */
  allowed?: Uint8Array;
}

/** A request in ids. */
export type TokenRequest = Omit<SampleArguments, 'model' | 'weights' | 'vocabulary' | 'tokenizer'> & {
  signal?: AbortSignal | undefined;
};

/** Sends each request to the worker with the fewest rows to write. Which one it is changes nothing but the time. */
export class SampleRouter {
  readonly #pool: WorkerPool;
  readonly #load: number[];

  constructor(pool: WorkerPool) {
    this.#pool = pool;
    this.#load = Array.from({ length: pool.size }, () => 0);
  }

  async sample(model: LocalModel, weights: SharedWeights, request: LocalSampleRequest): Promise<Completion> {
    const { messages, tools, stop, ...numbers } = request;
    const prompt = model.chat.prompt(messages, tools);
    const asked = { ...numbers, prompt, stopTokens: model.chat.stops, stopStrings: stop };
    const rows = await this.continue(model, weights, asked);
    return { prompt, samples: rows.map((row) => toSample(model, row, stop ?? [])) };
  }

  /** The same by ids alone. */
  async continue(model: LocalModel, weights: SharedWeights, request: TokenRequest): Promise<SampledRow[]> {
    const { signal, ...asked } = request;
    const worker = this.#load.indexOf(Math.min(...this.#load));
    this.#load[worker]! += request.n;
    try {
      const { vocabulary } = model.tokenizer;
      const argument = { ...asked, model: model.spec, weights, vocabulary, tokenizer: model.tokenizerKey };
      return await this.#pool.call(worker, 'sample', argument, signal);
    } finally {
      this.#load[worker]! -= request.n;
    }
  }
}

export function samplerOf(router: SampleRouter, model: LocalModel, weights: SharedWeights, version: string): Sampler {
  return { version, sample: (request) => router.sample(model, weights, request) };
}

/** The text without thoughts and what ended it. The ids keep both: the model must learn to write them. */
function toSample(model: LocalModel, row: SampledRow, stops: readonly string[]): Sample {
  const { rest, calls, malformed } = model.chat.read(row.tokens);
  let text = rest;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at !== -1) text = text.slice(0, at);
  }
  const read = calls.length > 0 && malformed === undefined ? { toolCalls: calls } : {};
  return { text, ...read, tokens: row.tokens, logprobs: row.logprobs, stop: row.stop };
}
