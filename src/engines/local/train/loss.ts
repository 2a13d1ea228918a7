/** The value of a loss, token by token; its gradient lives in the training graph. */
import type { Loss } from '../../../core/engine.ts';
import type { MicroBatch } from './micro-batch.ts';

type Terms = Pick<MicroBatch, 'weights' | 'advantages' | 'old' | 'reference'>;

/** What row `i` of a micro-batch adds to the loss when its log-probability is `logp`. */
export function lossTerm(batch: Terms, i: number, logp: number, loss: Loss): number {
  const weight = batch.weights[i]!;
  const advantage = batch.advantages[i]!;
  const ratio = Math.exp(logp - batch.old[i]!);
  let term: number;
  switch (loss.kind) {
    case 'crossEntropy':
      term = -advantage * logp;
      break;
    case 'importanceSampling':
      term = -ratio * advantage;
      break;
    case 'clipped': {
      const clipped = Math.min(Math.max(ratio, 1 - loss.clipLow), 1 + loss.clipHigh);
      term = -Math.min(ratio * advantage, clipped * advantage);
      break;
    }
    default:
      loss satisfies never;
      throw new TypeError(`unknown loss ${JSON.stringify(loss)}`);
  }
  if (loss.klCoef) {
    const d = batch.reference[i]! - logp;
    term += loss.klCoef * (Math.exp(d) - 1 - d);
  }
  return weight * term;
}
