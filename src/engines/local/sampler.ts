/** Samplers of frozen weights: the conversation becomes ids here, a worker writes the rest. */
import type { Completion, Sample, SampleRequest, Sampler } from '../../core/engine.ts';
import type { PlayerModel } from './player.ts';
import type { WorkerPool } from './worker/pool.ts';
import type { SampledRow, SharedWeights } from './worker/protocol.ts';

/** What this engine's samplers take beyond the common request. */
export interface LocalSampleRequest extends SampleRequest {
  /** 1 where a token may be chosen. */
  allowed?: Uint8Array;
}

/** Sends each request to the worker with the fewest rows to write. Which one it is changes nothing but the time. */
export class SampleRouter {
  readonly #pool: WorkerPool;
  readonly #load: number[];

  constructor(pool: WorkerPool) {
    this.#pool = pool;
    this.#load = Array.from({ length: pool.size }, () => 0);
  }

  async sample(model: PlayerModel, weights: SharedWeights, request: LocalSampleRequest): Promise<Completion> {
    const { messages, tools, signal, stop, ...numbers } = request;
    const prompt = model.chat.prompt(messages, tools);
    const worker = this.#load.indexOf(Math.min(...this.#load));
    this.#load[worker]! += request.n;
    try {
      const rows = await this.#pool.call(
        worker,
        'sample',
        {
          ...numbers,
          model: model.spec,
          weights,
          prompt,
          vocabulary: model.tokenizer.vocabulary,
          stopTokens: model.chat.stops,
          stopStrings: stop,
          tokenizer: model.player,
        },
        signal,
      );
      return { prompt, samples: rows.map((row) => toSample(model, row, stop ?? [])) };
    } finally {
      this.#load[worker]! -= request.n;
    }
  }
}

export function samplerOf(router: SampleRouter, model: PlayerModel, weights: SharedWeights, version: string): Sampler {
  return { version, sample: (request) => router.sample(model, weights, request) };
}

/** The text without thoughts and what ended it. The ids keep both: the model must learn to write them. */
function toSample(model: PlayerModel, row: SampledRow, stops: readonly string[]): Sample {
  const { rest, calls, malformed } = model.chat.read(row.tokens);
  let text = rest;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at !== -1) text = text.slice(0, at);
  }
  const read = calls.length > 0 && malformed === undefined ? { toolCalls: calls } : {};
  return { text, ...read, tokens: row.tokens, logprobs: row.logprobs, stop: row.stop };
}
