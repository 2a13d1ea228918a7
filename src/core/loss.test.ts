import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Datum, Loss } from './engine.ts';
import { clippedObjective, k3, tokenLoss } from './loss.ts';

const logprob = fc.double({ min: -6, max: -0.001, noNaN: true });
const advantage = fc.double({ min: -3, max: 3, noNaN: true });
const clip = fc.double({ min: 0.05, max: 0.9, noNaN: true });
const klCoef = fc.double({ min: 0, max: 1, noNaN: true });
const weight = fc.float({ min: Math.fround(0.01), max: 1, noNaN: true });
const loss: fc.Arbitrary<Loss> = fc.oneof(
  fc.record({ kind: fc.constant('crossEntropy' as const), klCoef }),
  fc.record({ kind: fc.constant('importanceSampling' as const), klCoef }),
  fc.record({ kind: fc.constant('clipped' as const), clipLow: clip, clipHigh: clip, klCoef }),
);

/** One token whose numbers are kept in double, so that differences can be taken. */
const token = (weight: number, advantage: number, sampled: number, reference: number) =>
  ({
    tokens: Int32Array.of(1),
    weights: [weight],
    advantages: [advantage],
    logprobs: [sampled],
    reference: [reference],
  }) as unknown as Datum;

describe('tokenLoss', () => {
  it('has slopes that are the finite differences of its values, for every loss, away from the kinks', () => {
    fc.assert(
      fc.property(loss, weight, advantage, logprob, logprob, logprob, (loss, w, a, sampled, reference, at) => {
        const ratio = Math.exp(at - sampled);
        if (loss.kind === 'clipped') {
          fc.pre(Math.abs(ratio - 1 + loss.clipLow) > 1e-3 && Math.abs(ratio - 1 - loss.clipHigh) > 1e-3);
        }
        const datum = token(w, a, sampled, reference);
        const h = 1e-5;
        const difference = (tokenLoss(loss, datum, 0, at + h).loss - tokenLoss(loss, datum, 0, at - h).loss) / (2 * h);
        const { slope } = tokenLoss(loss, datum, 0, at);
        // The error of a central difference grows with the terms e^(…) it is taken over.
        const size = 1 + ratio + Math.exp(reference - at);
        expect(Math.abs(slope - difference)).toBeLessThan(1e-6 * size);
      }),
      { numRuns: 1000 },
    );
  });

  it('is flat where the clip is active, and nowhere else', () => {
    const clipped = { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 } as const;
    const slopeAt = (ratio: number, a: number) =>
      tokenLoss(clipped, token(1, a, -2, -2), 0, -2 + Math.log(ratio)).slope;
    for (const [ratio, a] of [
      [1.5, 1],
      [0.5, -1],
    ] as const)
      expect(slopeAt(ratio, a)).toBe(0);
    for (const [ratio, a] of [
      [0.5, 1],
      [1.5, -1],
      [1.1, 1],
      [0.9, -1],
    ] as const)
      expect(slopeAt(ratio, a)).toBeCloseTo(-ratio * a, 12);
  });

  it('is zero, value and slope, where the weight is zero: prompts need neither advantage nor reference', () => {
    fc.assert(
      fc.property(loss, fc.double(), (loss, at) => {
        const prompt: Datum = { tokens: Int32Array.of(1), weights: Float32Array.of(0) };
        expect(tokenLoss(loss, prompt, 0, at)).toEqual({ loss: 0, slope: 0 });
      }),
    );
  });

  it('is linear in the weight', () => {
    fc.assert(
      fc.property(loss, weight, advantage, logprob, logprob, (loss, w, a, sampled, at) => {
        const [one, scaled] = [1, w].map((x) => tokenLoss(loss, token(x, a, sampled, -1), 0, at));
        expect(scaled!.loss).toBeCloseTo(w * one!.loss, 9);
        expect(scaled!.slope).toBeCloseTo(w * one!.slope, 9);
      }),
    );
  });

  it('takes A = 1 where no advantages are given: plain SFT', () => {
    const datum: Datum = { tokens: Int32Array.of(1), weights: Float32Array.of(1) };
    expect(tokenLoss({ kind: 'crossEntropy' }, datum, 0, -0.75)).toEqual({ loss: 0.75, slope: -1 });
  });

  it('agrees between clipped and unclipped where policy and sampler agree', () => {
    fc.assert(
      fc.property(advantage, logprob, (a, at) => {
        const datum = token(1, a, at, at);
        const clipped = tokenLoss({ kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 }, datum, 0, at);
        expect(clipped).toEqual(tokenLoss({ kind: 'importanceSampling' }, datum, 0, at));
      }),
    );
  });

  it.each<[Loss, RegExp]>([
    [{ kind: 'importanceSampling' }, /importanceSampling loss needs the log-probs/],
    [{ kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 }, /clipped loss needs the log-probs/],
    [{ kind: 'crossEntropy', klCoef: 0.1 }, /KL term needs the reference log-probs/],
  ])('says what is missing: $kind', (loss, message) => {
    const bare: Datum = { tokens: Int32Array.of(1), weights: Float32Array.of(1) };
    expect(() => tokenLoss(loss, bare, 0, -1)).toThrow(message);
  });
});

describe('clippedObjective', () => {
  it('never exceeds r·A, and equals it inside the clip', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5, noNaN: true }), advantage, clip, clip, (ratio, a, low, high) => {
        const value = clippedObjective(ratio, a, low, high);
        expect(value).toBeLessThanOrEqual(ratio * a);
        if (ratio >= 1 - low && ratio <= 1 + high) expect(value).toBe(ratio * a);
      }),
    );
  });

  it('bounds what a token can gain: (1+high)·A for a good one, −(1−low)·|A| for a bad one', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), advantage, clip, clip, (ratio, a, low, high) => {
        const limit = a >= 0 ? (1 + high) * a : (1 - low) * a;
        expect(clippedObjective(ratio, a, low, high)).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

describe('k3', () => {
  it('is positive, and zero where and only where the two agree', () => {
    fc.assert(
      fc.property(logprob, logprob, (p, q) => {
        expect(k3(p, p)).toBe(0);
        if (Math.abs(p - q) > 1e-6) expect(k3(p, q)).toBeGreaterThan(0);
        else expect(k3(p, q)).toBeGreaterThanOrEqual(-1e-15);
      }),
    );
  });

  it('estimates KL without bias: its mean under π is KL(π ‖ reference)', () => {
    const policy = [0.5, 0.3, 0.2];
    const reference = [0.2, 0.2, 0.6];
    const mean = policy.reduce((sum, p, i) => sum + p * k3(Math.log(p), Math.log(reference[i]!)), 0);
    const kl = policy.reduce((sum, p, i) => sum + p * Math.log(p / reference[i]!), 0);
    expect(mean).toBeCloseTo(kl, 12);
  });
});
