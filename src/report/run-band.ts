/** The band as it was in force, run by run. */
import type { Band } from '../core/curriculum.ts';
import { type BandStretch, bandStretches, type SteppedBand } from '../core/stepped-band.ts';
import type { ArmRun, Comparison } from './comparison.ts';

export const runBand = (band: Band, { alphaSteps }: Pick<ArmRun, 'alphaSteps'>): SteppedBand =>
  alphaSteps ? { ...band, steps: alphaSteps } : band;

/** The band to draw behind all runs: with its steps where every run has the same, else as configured. */
export function commonBand({ arms, band }: Pick<Comparison, 'arms' | 'band'>): SteppedBand {
  const bands = arms.flatMap(({ runs }) => runs.map((run) => runBand(band, run)));
  const first: SteppedBand = bands[0] ?? band;
  const same = bands.every(({ steps = [] }) => JSON.stringify(steps) === JSON.stringify(first.steps ?? []));
  return same ? first : band;
}

export const commonStretches = (comparison: Pick<Comparison, 'arms' | 'band'>): BandStretch[] =>
  bandStretches(commonBand(comparison));

/** More changes than this are counted, not listed. */
const LISTED = 3;

/** `0.5 ± 0.1, from epoch 3 on 0.3 ± 0.1`. */
export function bandText(band: SteppedBand): string {
  const { kMin, steps = [] } = band;
  const [first, ...later] = bandStretches(band).map(({ alpha }) => `${alpha} ± ${kMin}`);
  const since = later.map((text, i) => `from epoch ${steps[i]!.epoch} on ${text}`);
  if (later.length <= LISTED) return [first, ...since].join(', ');
  return `${first}, changed ${later.length} times, ${since.at(-1)}`;
}
