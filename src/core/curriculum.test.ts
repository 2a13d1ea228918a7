import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LETTER } from '../../test/paper/letter.ts';
import {
  type Appraisal,
  appraise,
  bandMass,
  type CurriculumSettings,
  ENV_REWARDS,
  envReward,
  inBand,
  relativeBandMass,
  rwrWeights,
} from './curriculum.ts';
import type { Evidence } from './success-rate.ts';

const settings = { ...LETTER, beta: 4, minKept: 0.25 };
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const alpha = fc.double({ min: 0.05, max: 0.95, noNaN: true });
const kMin = fc.double({ min: 0.01, max: 0.5, noNaN: true });
const beta = fc.double({ min: 0.1, max: 50, noNaN: true });
const evidenceUpTo = (max: number): fc.Arbitrary<Evidence> =>
  fc
    .tuple(fc.integer({ min: 1, max }), unit)
    .map(([attempts, share]) => ({ successes: Math.round(share * attempts), attempts }));
const evidence = evidenceUpTo(64);
const anyEvidence = fc.option(fc.oneof(evidence, fc.constant({ successes: 0, attempts: 0 })), { nil: undefined });
const curriculum: fc.Arbitrary<CurriculumSettings> = fc.record({
  alpha,
  beta,
  kMin,
  lambda: fc.double({ min: 0, max: 2000, noNaN: true }),
  reward: fc.constantFrom('bell', 'bandMass', 'rZero', 'learnability'),
  filter: fc.constantFrom('strict', 'soft', 'none'),
  minKept: unit,
  quota: fc.constant(1),
});
const sum = (xs: number[]) => xs.reduce((a, b) => a + b, 0);

describe('envReward', () => {
  it('is symmetric about α, and peaks there at 1', () => {
    fc.assert(
      fc.property(alpha, beta, fc.double({ min: 0, max: 1, noNaN: true }), (alpha, beta, d) => {
        const bell = { alpha, beta };
        expect(envReward(alpha + d, bell)).toBeCloseTo(envReward(alpha - d, bell), 12);
        expect(envReward(alpha, bell)).toBe(1);
        expect(envReward(alpha + d, bell)).toBeLessThanOrEqual(1);
        if (d > 0.001) expect(envReward(alpha + d, bell)).toBeLessThan(1);
      }),
    );
  });

  it('falls with the distance from α, faster for a larger β', () => {
    fc.assert(
      fc.property(alpha, beta, unit, unit, (alpha, beta, p, q) => {
        const [near, far] = Math.abs(p - alpha) <= Math.abs(q - alpha) ? [p, q] : [q, p];
        expect(envReward(near, { alpha, beta })).toBeGreaterThanOrEqual(envReward(far, { alpha, beta }));
        expect(envReward(p, { alpha, beta: 2 * beta })).toBeLessThanOrEqual(envReward(p, { alpha, beta }));
      }),
    );
  });
});

describe('every environment reward', () => {
  it('lies in [0, 1]', () => {
    fc.assert(
      fc.property(evidence, curriculum, (e, c) => {
        const reward = ENV_REWARDS[c.reward](e, e.successes / e.attempts, c);
        expect(reward >= 0 && reward <= 1).toBe(true);
      }),
    );
  });

  it('treats k and n−k alike and is 1 at one half, when α is one half', () => {
    for (const reward of ['bell', 'bandMass', 'rZero', 'learnability'] as const) {
      const of = (k: number, n: number) => ENV_REWARDS[reward]({ successes: k, attempts: n }, k / n, settings);
      for (let k = 0; k <= 16; k++) expect(of(k, 32)).toBeCloseTo(of(32 - k, 32), 12);
      for (let k = 0; k < 16; k++) expect(of(k, 32)).toBeLessThan(of(k + 1, 32));
      expect(of(16, 32)).toBe(1);
    }
  });

  it('of the rules without evidence: R-Zero is 1 − 2|p − ½|, learnability 4p(1−p)', () => {
    const of = (reward: 'rZero' | 'learnability') => ENV_REWARDS[reward]({ successes: 1, attempts: 4 }, 0.25, settings);
    expect([of('rZero'), of('learnability')]).toEqual([0.5, 0.75]);
  });
});

describe('inBand', () => {
  it.each([
    // 0.4 − 0.3 and 0.6 − 0.5 exceed 0.1 in the last bit.
    [0.3, 0.1, 0.4, true],
    [0.3, 0.1, 0.2, true],
    [0.5, 0.1, 0.6, true],
    [0.5, 0.1, 0.4, true],
    [0.7, 0.1, 0.8, true],
    [0.5, 0.1, 0.601, false],
    [0.5, 0.1, 0.399, false],
    [0.5, 0.5, 0, true],
    [0.5, 0.5, 1, true],
  ])('α %d ± %d, p̂ = %d: %s', (alpha, kMin, rate, kept) => {
    expect(inBand(rate, { alpha, kMin })).toBe(kept);
  });

  it('agrees with whole-number arithmetic on every rate k/n with bands in hundredths', () => {
    const hundredths = (min: number, max: number) => fc.integer({ min, max });
    fc.assert(
      fc.property(hundredths(1, 99), hundredths(1, 50), hundredths(1, 1000), unit, (a, w, n, share) => {
        const k = Math.round(share * n);
        expect(inBand(k / n, { alpha: a / 100, kMin: w / 100 })).toBe(Math.abs(100 * k - a * n) <= w * n);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('bandMass', () => {
  it('is a probability', () => {
    fc.assert(
      fc.property(evidenceUpTo(5000), alpha, kMin, (e, alpha, kMin) => {
        const mass = bandMass(e, { alpha, kMin });
        expect(mass >= 0 && mass <= 1 + 1e-9).toBe(true);
      }),
    );
  });

  it('grows with the number of attempts at p̂ = α', () => {
    for (const alpha of [0.2, 0.5, 0.7]) {
      for (const kMin of [0.05, 0.1, 0.2]) {
        const at = [0, 1, 2, 4, 8, 32, 100, 1000].map((n) =>
          bandMass({ successes: alpha * n, attempts: n }, { alpha, kMin }),
        );
        for (let i = 1; i < at.length; i++) expect(at[i]).toBeGreaterThan(at[i - 1]!);
        expect(at.at(-1)).toBeGreaterThan(0.99);
      }
    }
  });

  it('adds up to 1 over bands that tile [0, 1]', () => {
    fc.assert(
      fc.property(evidence, (e) => {
        const tiles = [0.1, 0.3, 0.5, 0.7, 0.9].map((alpha) => bandMass(e, { alpha, kMin: 0.1 }));
        expect(sum(tiles)).toBeCloseTo(1, 10);
      }),
    );
  });

  it('does not cancel to nothing in either tail: never and always solved are alike at α = ½', () => {
    for (const n of [32, 64, 128, 512]) {
      const [never, always] = [0, n].map((k) => bandMass({ successes: k, attempts: n }, settings)) as [number, number];
      // Beta(1, n+1): 0.6^(n+1) − 0.4^(n+1).
      expect(never / (0.6 ** (n + 1) - 0.4 ** (n + 1))).toBeCloseTo(1, 9);
      expect(never / always).toBeCloseTo(1, 12);
    }
  });

  it('relative to the best that so many attempts could show is 1 at p̂ = α and at most 1', () => {
    fc.assert(
      fc.property(evidence, alpha, kMin, (e, alpha, kMin) => {
        const band = { alpha, kMin };
        expect(relativeBandMass({ successes: alpha * e.attempts, attempts: e.attempts }, band)).toBe(1);
        const share = relativeBandMass(e, band);
        expect(share >= 0 && share <= 1).toBe(true);
      }),
    );
  });
});

describe('appraise', () => {
  it('with the strict filter at n = 4, α = 0.5, kMin = 0.1 keeps exactly p̂ = 0.5', () => {
    const kept = appraise(
      [0, 1, 2, 3, 4].map((successes) => ({ successes, attempts: 4 })),
      settings,
    ).map((a) => a.kept);
    expect(kept).toEqual([false, false, true, false, false]);
  });

  it('never keeps a task without a valid attempt, nor rewards it', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence), curriculum, (all, c) => {
        appraise(all, c).forEach((a, i) => {
          if (!all[i]?.attempts) expect(a).toEqual({ successRate: 0, envReward: 0, kept: false, gate: 0 });
          else expect(a.successRate).toBe(all[i].successes / all[i].attempts);
        });
      }),
    );
  });

  it('with no filter keeps every rated task', () => {
    fc.assert(
      fc.property(fc.array(evidence), curriculum, (all, c) => {
        for (const a of appraise(all, { ...c, filter: 'none' })) expect(a).toMatchObject({ kept: true, gate: 1 });
      }),
    );
  });

  it('with the soft filter keeps at least ceil(minKept·N) of N rated tasks, the best first', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyEvidence, evidenceUpTo(10_000)), { maxLength: 30 }), curriculum, (all, c) => {
        const appraisals = appraise(all, { ...c, filter: 'soft' });
        const rated = appraisals.filter((_, i) => all[i]?.attempts);
        const kept = rated.filter((a) => a.kept);
        expect(kept.length).toBeGreaterThanOrEqual(Math.ceil(c.minKept * rated.length));
        const worst = Math.min(...kept.map((a) => a.gate));
        for (const a of rated) if (!a.kept) expect(a.gate).toBeLessThanOrEqual(worst);
      }),
    );
  });

  it('with the soft filter lets the environment learn even when every task is hopeless', () => {
    for (const n of [8, 128, 10_000]) {
      const appraisals = appraise(Array<Evidence>(8).fill({ successes: 0, attempts: n }), {
        ...settings,
        filter: 'soft',
      });
      expect(appraisals.filter((a) => a.kept)).toHaveLength(2);
      expect(sum(rwrWeights(appraisals, 1))).toBeCloseTo(2, 9);
    }
  });
});

describe('rwrWeights', () => {
  const appraisal: fc.Arbitrary<Appraisal> = fc.record({
    successRate: unit,
    envReward: unit,
    kept: fc.boolean(),
    gate: fc.constant(1),
  });
  const lambda = fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.constantFrom(0, 1, 1e3, 1e6));

  it('have mean 1 over the survivors and are 0 elsewhere, for any λ', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence), curriculum, (all, c) => {
        const appraisals = appraise(all, c);
        const weights = rwrWeights(appraisals, c.lambda);
        const survivors = appraisals.filter((a) => a.kept).length;
        expect(Math.abs(sum(weights) - survivors)).toBeLessThan(1e-9 * (1 + survivors));
        weights.forEach((w, i) => {
          if (!appraisals[i]!.kept) expect(w).toBe(0);
          expect(w).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });

  it('grow with R_env', () => {
    fc.assert(
      fc.property(fc.array(appraisal, { minLength: 2 }), lambda, (appraisals, lambda) => {
        const weights = rwrWeights(appraisals, lambda);
        const kept = appraisals.map((a, i) => ({ ...a, w: weights[i]! })).filter((a) => a.kept);
        kept.sort((a, b) => a.envReward - b.envReward);
        for (let i = 1; i < kept.length; i++) expect(kept[i]!.w).toBeGreaterThanOrEqual(kept[i - 1]!.w);
      }),
    );
  });

  it('stand in the ratio exp(λ·ΔR) times the ratio of the gates', () => {
    fc.assert(
      fc.property(unit, unit, fc.double({ min: 0, max: 20, noNaN: true }), (r1, r2, lambda) => {
        const of = (envReward: number, gate: number) => ({ successRate: 0.5, envReward, kept: true, gate });
        const [w1, w2] = rwrWeights([of(r1, 1), of(r2, 0.5)], lambda);
        expect(Math.log(w1! / w2!)).toBeCloseTo(lambda * (r1 - r2) + Math.log(2), 9);
      }),
    );
  });

  it('are all 1 at λ = 0 under the strict filter', () => {
    fc.assert(
      fc.property(fc.array(appraisal), (appraisals) => {
        expect(rwrWeights(appraisals, 0)).toEqual(appraisals.map((a) => (a.kept ? 1 : 0)));
      }),
    );
  });

  it('are empty or zero when nothing survives', () => {
    expect(rwrWeights([], 1)).toEqual([]);
    expect(rwrWeights([{ successRate: 0, envReward: 0.4, kept: false, gate: 0 }], 1)).toEqual([0]);
  });
});
