/** Data cut into micro-batches for the workers, and what they answer put back in its place. */
import type { Datum, ForwardBackward, Loss } from '../../core/engine.ts';
import { batchLoss } from '../../core/loss.ts';
import type { LocalModel } from './player.ts';
import { checkData } from './train/check-data.ts';
import { type MicroBatch, microBatches } from './train/micro-batch.ts';
import { shareOut } from './train/share-out.ts';
import type { WorkerPool } from './worker/pool.ts';
import type { SharedWeights } from './worker/protocol.ts';

export interface LearnerParts {
  model: LocalModel;
  pool: WorkerPool;
  /** Tokens of one training run. */
  maxTokens: number;
}

/** Log-probs of the tokens that carry weight, under any weights of the model. */
export async function scoreData(
  parts: LearnerParts,
  weights: SharedWeights,
  data: readonly Datum[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const { pool, model } = parts;
  checkData(data, model.spec.config);
  const shares = shareOut(planBatches(parts, data), pool.size);
  const results = await settled(
    shares.map((share, worker) =>
      share.length > 0
        ? pool.call(worker, 'score', { model: model.spec, weights, batches: share }, signal)
        : Promise.resolve([]),
    ),
  );
  const scored = shares.flatMap((share, worker) => share.map((batch, i) => ({ batch, logp: results[worker]![i]! })));
  return collect(data, scored).logprobs;
}

export function planBatches({ maxTokens, pool }: LearnerParts, data: readonly Datum[]): MicroBatch[] {
  const total = data.reduce((sum, datum) => sum + datum.tokens.length, 0);
  // Small batches are cut too, so that every worker has its share.
  return microBatches(data, { maxTokens: Math.min(maxTokens, Math.ceil(total / pool.size)) });
}

/** Log-probs back in the places of their tokens, and the loss they make. */
export function collect(
  data: readonly Datum[],
  scored: readonly { batch: MicroBatch; logp: Float32Array }[],
  loss?: Loss,
): ForwardBackward {
  const logprobs = data.map((datum) => new Float32Array(datum.tokens.length));
  for (const { batch, logp } of scored) {
    for (const [i, value] of logp.entries()) {
      if (Number.isNaN(value)) {
        throw new Error(
          `datum ${batch.datum[i]}: the log-probability of token ${batch.entry[i]} is NaN (NaN weights?)`,
        );
      }
      logprobs[batch.datum[i]!]![batch.entry[i]!] = value;
    }
  }
  return { loss: loss ? batchLoss(loss, data, logprobs) : 0, logprobs };
}

/** Waits for all, then fails with the first error: nothing is still running when the caller learns of it. */
export async function settled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
