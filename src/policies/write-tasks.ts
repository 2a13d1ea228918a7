/** How tasks are written: n samples of one context, each read as one task or recorded with the reason why it is none. */
import type { Benchmark } from '../core/benchmark.ts';
import { EngineStopped, type SampleRequest, type Sampler } from '../core/engine.ts';
import type { Brief, EnvironmentPlayer, WriteOptions } from '../core/players.ts';
import { type Rng, seedOf } from '../core/rng.ts';
import type { Generation, Message } from '../core/types.ts';
import { environmentContext } from './context.ts';
import { mapPool } from './map-pool.ts';
import { readTask } from './read-task.ts';

export interface WriterOptions {
  /** The simulator before training, the author of the exploration floor. */
  reference: Sampler;
  benchmark: Pick<Benchmark, 'context' | 'read' | 'problemWith' | 'features' | 'structure'>;
  concurrency: number;
  temperature: number;
  maxTokens: number;
}

/** An author: the simulator as it is now, or a teacher. */
export function writer(options: WriterOptions, current: () => Sampler): Pick<EnvironmentPlayer, 'write' | 'context'> {
  const context = (brief: Brief) => options.benchmark.context?.(brief) ?? environmentContext(brief);
  return {
    context,
    async write(briefs, how) {
      const perBrief = await mapPool(
        briefs,
        options.concurrency,
        (brief) => writeVariations(options, current(), brief, context(brief), how),
        how.signal,
      );
      return perBrief.flat();
    },
  };
}

/** n samples of one context: each is one task, so that each has its own tokens, log-probs and credit. */
async function writeVariations(
  options: WriterOptions,
  sampler: Sampler,
  brief: Brief,
  context: Message[],
  how: WriteOptions,
): Promise<Generation[]> {
  const rng = how.rng.fork(brief.slot);
  // A share of a small count, right on average: 0.1 of 4 variations is one exploration in every two or three briefs.
  const explored = Math.min(brief.count, Math.floor(brief.count * how.explorationShare + rng.fork('explore').next()));
  const parts = [
    { author: how.author, sampler, n: brief.count - explored },
    { author: 'initial' as const, sampler: options.reference, n: explored },
  ];
  const generations: Generation[] = [];
  for (const { author, sampler: source, n } of parts) {
    if (n === 0) continue;
    for (const outcome of await sampleAll(
      source,
      generationRequest(options, context, n, rng.fork(author), how.signal),
    )) {
      const id = `${how.epoch}.${brief.slot}.${generations.length}`;
      const common = { id, epoch: how.epoch, seedId: brief.seed.id, author, context };
      if ('error' in outcome) {
        generations.push({ ...common, text: '', turn: NOTHING, task: null, verdict: failed(outcome.error) });
        continue;
      }
      const { prompt, sample } = outcome;
      const origin = author === 'teacher' ? ('teacher' as const) : ('generated' as const);
      const read = readTask(sample, { benchmark: options.benchmark, seed: brief.seed, epoch: how.epoch, origin });
      const turn = { prompt, tokens: sample.tokens, logprobs: sample.logprobs };
      generations.push({ ...common, text: sample.text, turn, ...read });
    }
  }
  return generations;
}

const NOTHING = { prompt: new Int32Array(), tokens: new Int32Array(), logprobs: new Float32Array() };

const failed = (detail: string): Generation['verdict'] => ({ kind: 'rejected', reason: 'error', detail });

/** n outcomes, whatever the engine did: a refused request is n generations that failed with its reason. */
async function sampleAll(sampler: Sampler, request: SampleRequest) {
  try {
    const { prompt, samples } = await sampler.sample(request);
    return Array.from({ length: request.n }, (_, i) =>
      samples[i] ? { prompt, sample: samples[i] } : { error: 'the engine returned fewer samples than were asked for' },
    );
  } catch (error) {
    request.signal?.throwIfAborted();
    if (error instanceof EngineStopped) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return Array.from({ length: request.n }, () => ({ error: reason }));
  }
}

export function generationRequest(
  { temperature, maxTokens }: Pick<WriterOptions, 'temperature' | 'maxTokens'>,
  messages: readonly Message[],
  n: number,
  rng: Rng,
  signal: AbortSignal,
): SampleRequest {
  return { messages, tools: [], n, maxTokens, temperature, seed: seedOf(rng), signal };
}
