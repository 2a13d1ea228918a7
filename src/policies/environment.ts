/** The environment policy π_env: writes variations of seeds through a sampler, learns from how they went. */
import type { Datum, Loss, Reference, Sampler, Trainer } from '../core/engine.ts';
import type { MetricPoint, Note } from '../core/journal.ts';
import type { EnvironmentPlayer, Update } from '../core/players.ts';
import type { Rng } from '../core/rng.ts';
import { type CapReport, meanKl, rwrData, withKlCap } from '../core/rwr.ts';
import type { Checkpoint, Message } from '../core/types.ts';
import { mapPool } from './map-pool.ts';
import { type Optimizer, savedPlayer, withReference } from './training.ts';
import { generationRequest, type WriterOptions, writer } from './write-tasks.ts';

export interface EnvironmentOptions extends WriterOptions {
  trainer: Trainer;
  /** What KL is measured against. */
  reference: Reference;
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
  let lastGood: Checkpoint | undefined;
  const checkpoint = async (epoch: number) => {
    lastGood = await saved.checkpoint(epoch);
    return lastGood;
  };
  const restoreLastGood = async () => {
    if (!lastGood) throw new Error('The environment has no checkpoint to go back to: call checkpoint before update.');
    await trainer.load(lastGood);
  };

  return {
    ...writer(options, () => sampler),
    encode: (context) => trainer.encode(context, []),
    discard: saved.discard,

    checkpoint,
    async restore(from) {
      await saved.restore(from);
      lastGood = from;
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
      if (!(await hasAny(batches()))) {
        return {
          notes: [
            {
              kind: 'noSignal',
              epoch,
              detail: 'no generation survived the filter, so the environment was not updated',
            },
          ],
        };
      }
      const report = await withKlCap({ apply, measureKl: kl, restore: restoreLastGood }, maxKl);
      sampler = await trainer.publish(`environment-${epoch}`);
      return asUpdate(report, metrics, epoch, maxKl, report.applied ? [await checkpoint(epoch)] : []);
    },
  };
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
    (context, i) => sampler.sample(generationRequest({ ...options, temperature: 1 }, context, 1, rng.fork(i), signal)),
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

async function hasAny(batches: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of batches) return true;
  return false;
}
