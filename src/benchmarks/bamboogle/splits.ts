/** The invented questions by split. No two of them share a subject or a bridge, in whatever split they are. */
import { createRng } from '../../core/rng.ts';
import { invent, PLOTS } from './fiction.ts';
import { MAX_RIVALS } from './relations.ts';
import type { TwoHop } from './two-hop.ts';

export interface Splits {
  base: readonly TwoHop[];
  validation: readonly TwoHop[];
  test: readonly TwoHop[];
}

/** Questions of each plot in each split. */
const PER_PLOT = 2;
/** Base questions have few rival values; held-out ones reach further. */
const BASE_RIVALS = 1;

let drawn: Splits | undefined;

/** Drawn once, from a fixed seed. */
export function splits(): Splits {
  if (drawn) return drawn;
  const taken = new Set<string>();
  const draw = (split: keyof Splits, mostRivals: number): TwoHop[] =>
    Array.from({ length: PER_PLOT }, (_, round) =>
      PLOTS.map((plot, i) => {
        const rng = createRng('bamboogle').fork(split, round, i);
        return invent(plot, rng.int(mostRivals + 1), rng, taken);
      }),
    ).flat();
  drawn = {
    base: draw('base', BASE_RIVALS),
    validation: draw('validation', MAX_RIVALS),
    test: draw('test', MAX_RIVALS),
  };
  return drawn;
}
