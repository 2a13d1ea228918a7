import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advantages, grpoData, varied } from './grpo.ts';
import { normalise } from './sequences.ts';
import type { Experience, Turn } from './types.ts';

const kinds = ['grpo', 'drGrpo'] as const;
const reward = fc.double({ min: 0, max: 1, noNaN: true });
const rewards = fc.oneof(
  fc.array(reward, { minLength: 1, maxLength: 16 }),
  fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 16 }),
);
const sum = (xs: ArrayLike<number>) => Array.from(xs).reduce((a, b) => a + b, 0);

const turn = (prompt: number[], tokens: number[]): Turn => ({
  prompt: Int32Array.from(prompt),
  tokens: Int32Array.from(tokens),
  logprobs: Float32Array.from(tokens, (token) => -(token + 1) / 128),
});
const trace = (reward: number, turns: Turn[], valid = true): Experience => ({ reward, turns, valid });
const group = (...traces: Experience[]): Experience[] => traces;

describe('advantages', () => {
  it('sum to zero and are ordered as the rewards', () => {
    fc.assert(
      fc.property(rewards, fc.constantFrom(...kinds), (rs, kind) => {
        const got = advantages(rs, kind);
        expect(sum(got)).toBeCloseTo(0, 9);
        rs.forEach((r, i) => {
          rs.forEach((s, j) => {
            if (r > s) expect(got[i]).toBeGreaterThanOrEqual(got[j]!);
          });
        });
      }),
    );
  });

  it('do not change when a constant is added to every reward', () => {
    fc.assert(
      fc.property(
        rewards,
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.constantFrom(...kinds),
        (rs, shift, kind) => {
          const [got, shifted] = [rs, rs.map((r) => r + shift)].map((x) => advantages(x, kind)) as [number[], number[]];
          // ε = 1e-4 divides what rounding leaves of the shift.
          got.forEach((a, i) => {
            expect(shifted[i]).toBeCloseTo(a, 8);
          });
        },
      ),
    );
  });

  it('have standard deviation 1 in GRPO, less only by ε', () => {
    fc.assert(
      fc.property(rewards, (rs) => {
        const mean = sum(rs) / rs.length;
        const std = Math.sqrt(sum(rs.map((r) => (r - mean) ** 2)) / rs.length);
        fc.pre(std > 0.01);
        const got = advantages(rs, 'grpo');
        const spread = Math.sqrt(sum(got.map((a) => a * a)) / got.length);
        expect(spread).toBeLessThan(1);
        expect(spread).toBeGreaterThan(0.99);
      }),
    );
  });

  it('are zero, to the bit, where all rewards are equal', () => {
    fc.assert(
      fc.property(reward, fc.integer({ min: 0, max: 20 }), fc.constantFrom(...kinds), (r, n, kind) => {
        const same = Array<number>(n).fill(r);
        expect(advantages(same, kind)).toEqual(same.map(() => 0));
        expect(varied(same)).toBe(false);
        if (n > 0) expect(varied([...same, r + 1])).toBe(true);
      }),
    );
  });
});

describe('grpoData', () => {
  const one = [turn([1], [2, 3])];

  it('skips groups without variance and rollouts that could not be judged', () => {
    const data = grpoData(
      [
        group(trace(1, one), trace(1, one)),
        group(trace(0, one), trace(0, one)),
        // Varied only by an invalid trace: no signal either.
        group(trace(1, one), trace(0, one, false)),
        group(trace(1, one), trace(0, one), trace(0, one, false)),
        group(trace(0, one, false)),
        group(),
      ],
      'drGrpo',
    );
    expect(data.map((d) => d.advantages![0])).toEqual([0.5, -0.5]);
  });

  it('gives the batch a weight of 1 in all, the same on every written token', () => {
    const rollout = fc.record({
      reward: fc.constantFrom(0, 0.5, 1),
      length: fc.integer({ min: 1, max: 9 }),
      valid: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(rollout, { maxLength: 5 }), { maxLength: 5 }),
        fc.constantFrom(...kinds),
        (groups, kind) => {
          const data = grpoData(
            groups.map((g) => group(...g.map((r) => trace(r.reward, [turn([1], Array(r.length).fill(2))], r.valid)))),
            kind,
          );
          const weights = data.flatMap((d) => Array.from(d.weights));
          expect(sum(weights)).toBeCloseTo(data.length > 0 ? 1 : 0, 5);
          expect(new Set(weights.filter((w) => w !== 0)).size).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('carries one advantage per rollout through all of its sequences', () => {
    const broken = [turn([1], [2]), turn([9], [3])];
    const data = grpoData([group(trace(1, broken), trace(0, broken))], 'drGrpo');
    expect(data.map((d) => Array.from(d.advantages!))).toEqual([
      [0.5, 0.5],
      [0.5, 0.5],
      [-0.5, -0.5],
      [-0.5, -0.5],
    ]);
  });

  it('does not divide by zero when the policy wrote nothing', () => {
    const data = grpoData([group(trace(1, [turn([1], [])]), trace(0, [turn([1], [])]))], 'grpo');
    for (const { weights } of data) expect(Array.from(weights)).toEqual([0]);
    expect(normalise([])).toEqual([]);
  });
});
