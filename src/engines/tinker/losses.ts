/**
 * Our losses on a server's. The portable way is exact on every server: ask for the current log-probs, then train by
 * importance sampling with those as the sampled ones, so that the ratio is 1 and advantages −∂L/∂logp are the gradient.
 * Where a server's own loss is the same function, one request does.
 */
import type { Datum, Loss } from '../../core/engine.ts';
import { tokenLoss } from '../../core/loss.ts';
import type { LossInput } from '../../wire/messages.ts';
import type { Profile } from './profile.ts';
import { maskOf, wireDatum } from './wire-data.ts';

type Dialect = Pick<Profile, 'reduction' | 'mask' | 'losses' | 'extended'>;

/** Only the log-probs. */
export const scoreInput = (data: readonly Datum[]): LossInput => ({
  data: data.map((datum) => wireDatum(datum, { weights: maskOf(datum) })),
  loss_fn: 'cross_entropy',
});

/** The loss as one of the server's own, or undefined where it has none that is the same. */
export function directInput(data: readonly Datum[], loss: Loss, dialect: Dialect): LossInput | undefined {
  if (dialect.extended) return extendedInput(data, loss);
  if (dialect.reduction !== 'sum' || loss.klCoef || loss.kind === 'crossEntropy') return undefined;
  if (loss.kind === 'clipped' && !dialect.losses.ppo) return undefined;
  const wire = data.map((datum) => {
    const credit = datum.weights.map((w, t) => w * (datum.advantages?.[t] ?? 1));
    return wireDatum(datum, { logprobs: datum.logprobs!, advantages: credit, ...masked(datum, dialect) });
  });
  if (loss.kind === 'importanceSampling') return { data: wire, loss_fn: 'importance_sampling' };
  return { data: wire, loss_fn: 'ppo', loss_fn_config: thresholds(loss) };
}

export function portableInput(
  data: readonly Datum[],
  loss: Loss,
  current: readonly Float32Array[],
  dialect: Dialect,
  /** Sequences of the whole step, of which `data` may be a part. */
  ofStep: number,
): LossInput {
  const averaged = { sum: 0, requestMean: data.length, stepMean: ofStep }[dialect.reduction];
  const wire = data.map((datum, i) => {
    const logprobs = current[i]!;
    const scale = averaged === 0 ? 1 : undoMean(datum, averaged);
    const advantages = datum.weights.map((_, t) => -scale * tokenLoss(loss, datum, t, logprobs[t]!).slope);
    return wireDatum(datum, { logprobs, advantages, ...masked(datum, dialect) });
  });
  return { data: wire, loss_fn: 'importance_sampling' };
}

/** All that our losses have, for a server that is this program: weights and credit apart, and the KL term with them. */
function extendedInput(data: readonly Datum[], loss: Loss): LossInput {
  const config = {
    ...(loss.klCoef ? { kl_coef: loss.klCoef } : {}),
    ...(loss.kind === 'clipped' ? thresholds(loss) : {}),
  };
  return {
    data: data.map((datum) =>
      wireDatum(datum, {
        weights: datum.weights,
        ...(datum.advantages ? { advantages: datum.advantages } : {}),
        ...(loss.kind !== 'crossEntropy' ? { logprobs: datum.logprobs! } : {}),
        ...(loss.klCoef ? { reference: datum.reference! } : {}),
      }),
    ),
    loss_fn: { crossEntropy: 'cross_entropy', importanceSampling: 'importance_sampling', clipped: 'ppo' }[loss.kind],
    ...(Object.keys(config).length > 0 ? { loss_fn_config: config } : {}),
  };
}

const thresholds = ({ clipLow, clipHigh }: { clipLow: number; clipHigh: number }) => ({
  clip_low_threshold: 1 - clipLow,
  clip_high_threshold: 1 + clipHigh,
});

const masked = (datum: Datum, { mask }: Dialect) => (mask ? { weights: maskOf(datum) } : {});

/** A mean over a sequence's own tokens, then over sequences, undone by what it divides by. */
function undoMean(datum: Datum, sequences: number): number {
  let count = 0;
  for (const w of datum.weights) if (w !== 0) count++;
  return count * sequences;
}
