import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from './rng.ts';
import { weightedSample } from './weighted-sample.ts';

const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true })), { maxLength: 60 });
const size = fc.integer({ min: 0, max: 70 });
const seed = fc.integer();
/** Indices into the weights, drawn. */
const draw = (ws: number[], m: number, seed: number | string) =>
  weightedSample(ws.keys(), m, (i) => ws[i]!, createRng(seed));

describe('weightedSample', () => {
  it('returns min(m, drawable) items, none twice, none of weight 0, in stream order', () => {
    fc.assert(
      fc.property(weights, size, seed, (ws, m, seed) => {
        const got = draw(ws, m, seed);
        expect(got).toHaveLength(Math.min(m, ws.filter((w) => w > 0).length));
        expect(got).toEqual([...new Set(got)].sort((a, b) => a - b));
        for (const i of got) expect(ws[i]).toBeGreaterThan(0);
      }),
    );
  });

  it('returns everything drawable when m reaches the size', () => {
    fc.assert(
      fc.property(weights, fc.nat(5), seed, (ws, extra, seed) => {
        expect(draw(ws, ws.length + extra, seed)).toEqual(ws.flatMap((w, i) => (w > 0 ? [i] : [])));
      }),
    );
  });

  it('is the same draw from the same stream of numbers', () => {
    fc.assert(
      fc.property(weights, size, seed, (ws, m, seed) => {
        expect(draw(ws, m, seed)).toEqual(draw(ws, m, seed));
      }),
    );
  });

  it('is one draw, cut short: fewer items are a subset of more', () => {
    fc.assert(
      fc.property(weights, size, seed, (ws, m, seed) => {
        const more = new Set(draw(ws, m + 1, seed));
        for (const i of draw(ws, m, seed)) expect(more.has(i)).toBe(true);
      }),
    );
  });

  it('draws one item in proportion to its weight (chi-square)', () => {
    const ws = [1, 2, 3, 4, 0, 10, 0.5];
    const counts = ws.map(() => 0);
    const rng = createRng('one');
    const trials = 20_000;
    for (let i = 0; i < trials; i++) counts[weightedSample(ws.keys(), 1, (at) => ws[at]!, rng)[0]!]!++;
    const total = ws.reduce((a, b) => a + b, 0);
    expect(
      chiSquare(
        counts,
        ws.map((w) => (trials * w) / total),
      ),
    ).toBeLessThan(FIVE_DEGREES);
  });

  // Without replacement: i then j with probability w_i/W · w_j/(W − w_i). Six pairs, five degrees of freedom.
  it('draws pairs as taking one after the other would (chi-square)', () => {
    const ws = [1, 2, 3, 6];
    const total = 12;
    const trials = 20_000;
    const pairs = ws.flatMap((_, i) => ws.flatMap((_, j) => (i < j ? [[i, j] as const] : [])));
    const chance = (i: number, j: number) => (ws[i]! / total) * (ws[j]! / (total - ws[i]!));
    const counts = new Map(pairs.map(([i, j]) => [`${i},${j}`, 0]));
    const rng = createRng('two');
    for (let t = 0; t < trials; t++) {
      const key = weightedSample(ws.keys(), 2, (at) => ws[at]!, rng).join();
      counts.set(key, counts.get(key)! + 1);
    }
    const expected = pairs.map(([i, j]) => trials * (chance(i, j) + chance(j, i)));
    expect(chiSquare([...counts.values()], expected)).toBeLessThan(FIVE_DEGREES);
  });

  it('reads the stream once and holds no more than it returns', () => {
    let read = 0;
    function* stream() {
      for (; read < 50_000; read++) yield read;
    }
    expect(weightedSample(stream(), 3, () => 1, createRng(0))).toHaveLength(3);
    expect(read).toBe(50_000);
  });
});

/** The value five degrees of freedom exceed once in 10,000. */
const FIVE_DEGREES = 25.7;

function chiSquare(counts: number[], expected: number[]): number {
  return counts.reduce((sum, n, i) => {
    if (expected[i] === 0) return n === 0 ? sum : Number.POSITIVE_INFINITY;
    return sum + (n - expected[i]!) ** 2 / expected[i]!;
  }, 0);
}
