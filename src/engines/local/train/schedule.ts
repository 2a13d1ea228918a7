/** Learning rates over steps: linear warm-up, then constant or a cosine down to a share of the peak. */
export interface Schedule {
  peak: number;
  warmupSteps?: number;
  /** Steps in all; without it the rate stays at its peak. */
  totalSteps?: number;
  /** What the cosine ends at, as a share of the peak. */
  finalShare?: number;
}

/** The rate of step 0, 1, … */
export function learningRate({ peak, warmupSteps = 0, totalSteps, finalShare = 0 }: Schedule, step: number): number {
  if (step < warmupSteps) return (peak * (step + 1)) / warmupSteps;
  if (totalSteps === undefined) return peak;
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps));
  return peak * (finalShare + (1 - finalShare) * 0.5 * (1 + Math.cos(Math.PI * progress)));
}
