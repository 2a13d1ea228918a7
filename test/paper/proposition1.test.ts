/** Proposition 1: C_min·p(1−p) ≤ E‖g‖² ≤ C_max·p(1−p), checked on the smallest policy there is. */
import { describe, expect, it } from 'vitest';
import { createRng } from '../../src/core/rng.ts';
import { signalBounds, zeroGradient } from '../../src/core/theory.ts';

/**
 * One logit, two actions, success with p = σ(θ). The score ∂ log π/∂θ is 1 − p on success and −p on failure, so
 * Assumption 1 holds with E[S²|r=1] = (1−p)² and E[S²|r=0] = p².
 */
const scoreOf = (success: boolean, p: number) => (success ? 1 - p : -p);
const expectedSignal = (p: number) =>
  p * ((1 - p) * scoreOf(true, p)) ** 2 + (1 - p) * ((0 - p) * scoreOf(false, p)) ** 2;
const boundsOf = (p: number) => signalBounds(p, Math.min(p, 1 - p) ** 2, Math.max(p, 1 - p) ** 2);
const grid = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

describe('Proposition 1', () => {
  // p = 1/4: E‖g‖² = ¼·(¾)²·(¾)² + ¾·(¼)²·(¼)² = 0.0791015625 + 0.0029296875; p(1−p) = 0.1875.
  // c_min = 1/16, c_max = 9/16: 0.01171875 ≤ 0.08203125 ≤ 0.10546875.
  it('at p = 1/4, by hand', () => {
    expect(expectedSignal(0.25)).toBeCloseTo(0.08203125, 14);
    expect(boundsOf(0.25)).toEqual({ lower: 0.01171875, upper: 0.10546875 });
  });

  it('brackets the exact signal for every p', () => {
    for (const p of grid) {
      const { lower, upper } = boundsOf(p);
      expect(expectedSignal(p)).toBeGreaterThanOrEqual(lower - 1e-15);
      expect(expectedSignal(p)).toBeLessThanOrEqual(upper + 1e-15);
    }
  });

  it('brackets the sampled signal of REINFORCE', () => {
    const trials = 20_000;
    for (const p of [0.05, 0.2, 0.35, 0.65, 0.8, 0.95]) {
      const rng = createRng(1).fork('p', p);
      let sum = 0;
      for (let i = 0; i < trials; i++) {
        const success = rng.next() < p;
        sum += ((success ? 1 : 0) - p) ** 2 * scoreOf(success, p) ** 2;
      }
      const { lower, upper } = boundsOf(p);
      expect(sum / trials).toBeGreaterThan(lower);
      expect(sum / trials).toBeLessThan(upper);
    }
  });

  it('peaks at p = 1/2 and vanishes where everything or nothing succeeds', () => {
    const peak = signalBounds(0.5).upper;
    expect(peak).toBe(0.25);
    for (const p of grid) if (p !== 0.5) expect(signalBounds(p).upper).toBeLessThan(peak);
    for (const p of [0, 1]) expect(signalBounds(p, 1, 7)).toEqual({ lower: 0, upper: 0 });
  });

  it('Remark 1: p(1−p) = 1/4 − (p − 1/2)²', () => {
    for (const p of grid) expect(signalBounds(p).lower).toBeCloseTo(0.25 - (p - 0.5) ** 2, 14);
  });

  // A group of G has no gradient when all or none succeed. G = 2, p = ½: ¼ + ¼; G = 8, p = 0.138: 0.862⁸ + 0.138⁸.
  it('loses a group’s gradient with probability p^G + (1−p)^G', () => {
    expect(zeroGradient(0.5, 2)).toBe(0.5);
    expect(zeroGradient(0.138, 8)).toBeCloseTo(0.862 ** 8, 6);
    expect(zeroGradient(1, 8)).toBe(1);
  });
});
