/** The environment policy π_env: writes variations of seeds through a sampler, learns from how they went. */
import type { Benchmark } from '../core/benchmark.ts';
import type { Datum, Loss, Reference, SampleRequest, Sampler, Trainer } from '../core/engine.ts';
import type { MetricPoint, Note } from '../core/journal.ts';
import type { Brief, EnvironmentPlayer, Update, WriteOptions } from '../core/players.ts';
import { type Rng, seedOf } from '../core/rng.ts';
import { type CapReport, meanKl, rwrData, withKlCap } from '../core/rwr.ts';
import type { Generation, Message } from '../core/types.ts';
import { environmentContext } from './context.ts';
import { mapPool } from './map-pool.ts';
import { readTask } from './read-task.ts';
import { type Optimizer, savedPlayer, withReference } from './training.ts';

export interface EnvironmentOptions {
  trainer: Trainer;
  /** The simulator before training: what KL is measured against, and the author of the exploration floor. */
  reference: Reference;
  benchmark: Pick<Benchmark, 'context' | 'read' | 'problemWith' | 'features'>;
  concurrency: number;
  temperature: number;
  maxTokens: number;
  optimizer: Optimizer;
  /** `crossEntropy` for RWR and hindsight, a ratio loss where weights are advantages. */
  loss: Loss;
  maxKl: number;
}

export async function environmentPolicy(options: EnvironmentOptions): Promise<EnvironmentPlayer> {
  const { trainer, reference, optimizer, loss, maxKl } = options;
  let sampler: Sampler = await trainer.publish('environment-0');
  const saved = savedPlayer(trainer, (published) => {
    sampler = published;
  });
  /** The weights the run would resume from: where an update over the cap goes back to. */
  let lastGood = await saved.checkpoint(0);

  return {
    ...writer(options, () => sampler),
    encode: (context) => trainer.encode(context, []),
    discard: saved.discard,

    async checkpoint(epoch) {
      lastGood = await saved.checkpoint(epoch);
      return lastGood;
    },
    async restore(checkpoint) {
      await saved.restore(checkpoint);
      lastGood = checkpoint;
    },

    async update(batches, probes, { epoch, rng, signal }) {
      const kl = async () => {
        const fresh = await probe(
          options,
          await trainer.publish(`environment-${epoch}`),
          probes,
          rng.fork('probe'),
          signal,
        );
        return meanKl(fresh, await trainer.forward(fresh, signal), await reference.logprobs(fresh, signal));
      };
      let metrics: MetricPoint[] = [];
      const apply = async (scale: number) => {
        metrics = [];
        let step = 0;
        for await (const records of batches()) {
          const data = await withReference(rwrData(records), loss.klCoef ? reference : undefined, signal);
          const { loss: value } = await trainer.forwardBackward(data, loss, signal);
          const { gradNorm } = await trainer.optimStep({ ...optimizer, learningRate: optimizer.learningRate * scale });
          step++;
          metrics.push({ key: 'env/loss', epoch, step, value }, { key: 'env/gradNorm', epoch, step, value: gradNorm });
        }
        metrics.push({ key: 'env/steps', epoch, step: 0, value: step });
      };
      const report = await withKlCap({ apply, measureKl: kl, restore: () => trainer.load(lastGood) }, maxKl);
      sampler = await trainer.publish(`environment-${epoch}`);
      return asUpdate(report, metrics, epoch, maxKl, report.applied ? [await this.checkpoint(epoch)] : []);
    },
  };
}

/** An author that only writes: a frozen simulator or a teacher. */
export function writer(
  options: Pick<EnvironmentOptions, 'reference' | 'benchmark' | 'concurrency' | 'temperature' | 'maxTokens'>,
  current: () => Sampler,
): Pick<EnvironmentPlayer, 'write' | 'context'> {
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
  options: Pick<EnvironmentOptions, 'reference' | 'benchmark' | 'temperature' | 'maxTokens'>,
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
    for (const outcome of await sampleAll(source, request(options, context, n, rng.fork(author), how.signal))) {
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
    const reason = error instanceof Error ? error.message : String(error);
    return Array.from({ length: request.n }, () => ({ error: reason }));
  }
}

function request(
  { temperature, maxTokens }: Pick<EnvironmentOptions, 'temperature' | 'maxTokens'>,
  messages: readonly Message[],
  n: number,
  rng: Rng,
  signal: AbortSignal,
): SampleRequest {
  return { messages, tools: [], n, maxTokens, temperature, seed: seedOf(rng), signal };
}

/** Fresh samples on the probe contexts, as sequences to compare the policy with its first self on. */
async function probe(
  options: EnvironmentOptions,
  sampler: Sampler,
  contexts: Message[][],
  rng: Rng,
  signal: AbortSignal,
): Promise<Datum[]> {
  const completions = await mapPool(
    contexts,
    options.concurrency,
    (context, i) => sampler.sample(request({ ...options, temperature: 1 }, context, 1, rng.fork(i), signal)),
    signal,
  );
  return rwrData(
    completions.flatMap(({ prompt, samples }) =>
      samples.map(({ tokens, logprobs }) => ({ turn: { prompt, tokens, logprobs }, weight: 1 })),
    ),
  );
}

function asUpdate(
  report: CapReport,
  metrics: MetricPoint[],
  epoch: number,
  maxKl: number,
  checkpoints: Update['checkpoints'],
): Update {
  const notes: Note[] = [];
  if (report.attempts.length > 1 || !report.applied) {
    const tried = report.attempts.map((kl) => kl.toFixed(4)).join(', ');
    const outcome = report.applied ? `kept at ${report.scale} of the step` : 'skipped';
    notes.push({
      kind: 'klCap',
      epoch,
      detail: `KL to the initial simulator was ${tried} against a cap of ${maxKl}: ${outcome}`,
    });
  }
  const epochMetrics = [
    { key: 'env/kl', epoch, step: 0, value: report.kl },
    { key: 'env/stepScale', epoch, step: 0, value: report.scale },
  ];
  return { metrics: [...(report.applied ? metrics : []), ...epochMetrics], notes, checkpoints: checkpoints ?? [] };
}
