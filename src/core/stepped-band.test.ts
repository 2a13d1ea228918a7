import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandIn, bandStretches } from './stepped-band.ts';

const band = {
  alpha: 0.5,
  kMin: 0.1,
  steps: [
    { epoch: 3, alpha: 0.3 },
    { epoch: 7, alpha: 0.6 },
  ],
};

describe('a band with steps', () => {
  it('is in every epoch what was in force then', () => {
    const alphas = [0, 2, 3, 6, 7, 99].map((epoch) => bandIn(band, epoch).alpha);
    expect(alphas).toEqual([0.5, 0.5, 0.3, 0.3, 0.6, 0.6]);
  });

  it('is the same everywhere where nobody changed it', () => {
    expect(bandIn({ alpha: 0.5, kMin: 0.1 }, 8)).toEqual({ alpha: 0.5, kMin: 0.1 });
    expect(bandStretches({ alpha: 0.5, kMin: 0.1 })).toEqual([
      { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, alpha: 0.5, kMin: 0.1 },
    ]);
  });

  it('is drawn in stretches without gap, each with the α of the epochs in it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 40 })), fc.integer({ min: 0, max: 50 }), (epochs, epoch) => {
        const steps = epochs.sort((a, b) => a - b).map((first, i) => ({ epoch: first, alpha: (i + 1) / 100 }));
        const stretches = bandStretches({ alpha: 0.5, kMin: 0.1, steps });
        for (const [i, { to }] of stretches.entries())
          expect(stretches[i + 1]?.from ?? Number.POSITIVE_INFINITY).toBe(to);
        const here = stretches.filter(({ from, to }) => epoch > from && epoch < to);
        expect(here.map(({ alpha }) => alpha)).toEqual([bandIn({ alpha: 0.5, kMin: 0.1, steps }, epoch).alpha]);
      }),
    );
  });
});
