/** The losses of the engine interface, one token at a time: value and derivative with respect to the token's log-prob. */
import type { Datum, Loss } from './engine.ts';

/** min(r·A, clip(r, 1−low, 1+high)·A): PPO's pessimistic surrogate. */
export function clippedObjective(ratio: number, advantage: number, low: number, high: number): number {
  const clipped = Math.min(Math.max(ratio, 1 - low), 1 + high);
  return Math.min(ratio * advantage, clipped * advantage);
}

/** Schulman's k3 estimate of KL(π ‖ reference) from a token drawn from π: e^d − 1 − d ≥ 0, d = reference − logp. */
export function k3(logprob: number, reference: number): number {
  const d = reference - logprob;
  return Math.expm1(d) - d;
}

export interface TokenLoss {
  loss: number;
  /** ∂loss/∂logp. */
  slope: number;
}

/** Loss of token t of a datum, given its current log-prob. Engines sum these and push the slopes through the model. */
export function tokenLoss(loss: Loss, datum: Datum, t: number, logprob: number): TokenLoss {
  const weight = datum.weights[t]!;
  if (weight === 0) return { loss: 0, slope: 0 };
  const advantage = datum.advantages?.[t] ?? 1;
  const out = surrogate(loss, advantage, logprob, datum.logprobs?.[t]);
  if (loss.klCoef) {
    const reference = datum.reference?.[t];
    if (reference === undefined)
      throw new TypeError('A loss with a KL term needs the reference log-probs of every datum.');
    out.loss += loss.klCoef * k3(logprob, reference);
    out.slope += loss.klCoef * (1 - Math.exp(reference - logprob));
  }
  out.loss *= weight;
  out.slope *= weight;
  return out;
}

/** The loss of a batch at these log-probs, added up in the order of the data: the same number on every engine. */
export function batchLoss(loss: Loss, data: readonly Datum[], logprobs: readonly Float32Array[]): number {
  let total = 0;
  for (const [i, datum] of data.entries()) {
    for (let t = 0; t < datum.tokens.length; t++) total += tokenLoss(loss, datum, t, logprobs[i]![t]!).loss;
  }
  return total;
}

function surrogate(loss: Loss, advantage: number, logprob: number, sampled: number | undefined): TokenLoss {
  if (loss.kind === 'crossEntropy') return { loss: -advantage * logprob, slope: -advantage };
  if (sampled === undefined)
    throw new TypeError(`The ${loss.kind} loss needs the log-probs the tokens were sampled with.`);
  const ratio = Math.exp(logprob - sampled);
  if (loss.kind === 'importanceSampling') return { loss: -ratio * advantage, slope: -ratio * advantage };
  const value = clippedObjective(ratio, advantage, loss.clipLow, loss.clipHigh);
  // Where the clip is active the objective is flat.
  return { loss: -value, slope: value === ratio * advantage ? -ratio * advantage : 0 };
}
