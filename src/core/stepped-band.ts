/** The band over a whole run. A person may have changed α on the way, so it has a step where each change came into force. */
import type { Band } from './curriculum.ts';

export interface AlphaStep {
  /** The first epoch with this α. */
  epoch: number;
  alpha: number;
}

/** α as configured, and as changed since. */
export interface SteppedBand extends Band {
  /** In the order of their epochs; none where nobody changed it. */
  steps?: readonly AlphaStep[];
}

/** The band in force in an epoch. */
export function bandIn({ alpha, kMin, steps = [] }: SteppedBand, epoch: number): Band {
  const step = steps.findLast((change) => change.epoch <= epoch);
  return { alpha: step?.alpha ?? alpha, kMin };
}

export interface BandStretch extends Band {
  /** Where it begins and ends on an axis of epochs: halfway between the last of one α and the first of the next. */
  from: number;
  to: number;
}

/** What to draw: one stretch for each α, from the left edge of the drawing to the right one. */
export function bandStretches({ alpha, kMin, steps = [] }: SteppedBand): BandStretch[] {
  const starts = [
    { from: Number.NEGATIVE_INFINITY, alpha },
    ...steps.map((s) => ({ from: s.epoch - 0.5, alpha: s.alpha })),
  ];
  return starts.map(({ from, alpha }, i) => ({
    from,
    to: starts[i + 1]?.from ?? Number.POSITIVE_INFINITY,
    alpha,
    kMin,
  }));
}
