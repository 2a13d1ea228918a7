/** What a server does and does not do, as the probe measured it. Nothing here is believed because a server says so. */

export interface Profile {
  url: string;
  model: string;
  /** Longest sequence in tokens, where the server tells. */
  maxContext: number | undefined;
  /** `sum` over tokens and sequences, or the mean over each sequence's tokens and then over those of a request or a step. */
  reduction: 'sum' | 'requestMean' | 'stepMean';
  /** Whether a mask may go with advantages. */
  mask: boolean;
  /** Losses that do what they are meant to: `ppo` also clips. */
  losses: { ppo: boolean };
  /** Whether the server is this program and takes our losses whole. */
  extended: boolean;
  /**
   * What an older sampling session samples: the weights it was made from, the latest ones, or its own at the price of the
   * weights that are being trained.
   */
  snapshots: 'kept' | 'latest' | 'overwrites';
  /** Whether the base model itself can be sampled. */
  baseSampling: boolean;
  /** P entries with nothing at the first, P − 1 entries, or none. */
  promptLogprobs: 'full' | 'shifted' | 'none';
  /** Fields of the optimizer that have an effect, beside the learning rate. */
  adam: { eps: boolean; gradClip: boolean };
  /** Whether a step tells the norm of its gradient. */
  gradNorm: boolean;
  /** Whether a seed decides a sample. */
  seeds: boolean;
  /** Seeds above 31 bits are refused by some. */
  wideSeeds: boolean;
  /** Whether several samples of one request differ. */
  several: boolean;
  /** Whether a repeated training request is run once. */
  dedupes: boolean;
  /** Largest difference between a sampled token's log-prob and the same one from a forward pass. */
  disagreement: number;
}

/** A server on which training would go wrong without a sign of it. */
export function refusalOf(profile: Profile, wanted: { weightDecay: number }): string | undefined {
  if (profile.disagreement > MOST_DISAGREEMENT) {
    return `sampled tokens and a forward pass disagree by up to ${profile.disagreement.toFixed(2)} nats, so ratios of the two mean nothing: sampler and trainer hold different weights or count positions differently`;
  }
  if (wanted.weightDecay > 0 && !(profile.adam.eps && profile.reduction === 'sum')) {
    return 'weight decay has no sure effect here: set agent.weightDecay and environment.weightDecay to 0';
  }
  return undefined;
}

/** bf16 samplers differ from their trainers by hundredths; another model differs by whole nats. */
const MOST_DISAGREEMENT = 1;
