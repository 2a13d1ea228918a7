/** What both players share: how they are saved, published and restored, and reference log-probs for their KL terms. */
import type { Datum, OptimStep, Reference, Sampler, Trainer } from '../core/engine.ts';
import type { AgentPlayer } from '../core/players.ts';

export type Optimizer = OptimStep;

/** Checkpoint names and published versions are `<player>-<epoch>`, the same in a resumed run as in an undisturbed one. */
export function savedPlayer(
  trainer: Trainer,
  published: (sampler: Sampler) => void,
): Pick<AgentPlayer, 'checkpoint' | 'restore' | 'discard'> {
  return {
    checkpoint: (epoch) => trainer.save(`${trainer.player}-${epoch}`),
    async restore(checkpoint) {
      await trainer.load(checkpoint);
      published(await trainer.publish(checkpoint.ref));
    },
    discard: (checkpoint) => trainer.discard(checkpoint),
  };
}

/** The same data with the log-probs of the frozen first self, where a loss asks for them. */
export async function withReference(
  data: readonly Datum[],
  reference: Reference | undefined,
  signal: AbortSignal,
): Promise<Datum[]> {
  if (!reference || data.length === 0) return [...data];
  const logprobs = await reference.logprobs(data, signal);
  return data.map((datum, i) => ({ ...datum, reference: logprobs[i]! }));
}
