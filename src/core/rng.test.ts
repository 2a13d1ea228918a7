import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng, type Rng, restoreRng, seedOf, shuffled, weightedIndex } from './rng.ts';

const seed = fc.oneof(fc.integer(), fc.string());
const path = fc.array(fc.oneof(fc.integer(), fc.string()), { minLength: 1, maxLength: 4 });
const draws = (rng: Rng, n = 8) => Array.from({ length: n }, () => rng.next());
/** Mean df, variance 2·df: five standard deviations and a little. */
const limit = (df: number) => df + 6 * Math.sqrt(2 * df);
const chiSquare = (counts: number[], expected: number) =>
  counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);

describe('a stream', () => {
  it('is decided by its seed', () => {
    fc.assert(
      fc.property(seed, seed, (a, b) => {
        expect(draws(createRng(a))).toEqual(draws(createRng(a)));
        if (a !== b) expect(draws(createRng(a))).not.toEqual(draws(createRng(b)));
      }),
    );
  });

  it('is uniform in [0, 1), pairs of neighbours too', () => {
    const n = 100_000;
    const [single, pairs, low] = [64, 256, 64].map((size) => Array<number>(size).fill(0)) as [
      number[],
      number[],
      number[],
    ];
    const rng = createRng(7);
    let inside = true;
    let before = rng.next();
    for (let i = 0; i < n; i++) {
      const x = rng.next();
      inside &&= x >= 0 && x < 1;
      single[Math.floor(x * 64)]!++;
      pairs[Math.floor(before * 16) * 16 + Math.floor(x * 16)]!++;
      low[(x * 2 ** 53) % 64]!++;
      before = x;
    }
    expect(inside).toBe(true);
    expect(chiSquare(single, n / 64)).toBeLessThan(limit(63));
    expect(chiSquare(pairs, n / 256)).toBeLessThan(limit(255));
    // The last bits of the 53 are as random as the first.
    expect(chiSquare(low, n / 64)).toBeLessThan(limit(63));
  });

  it('goes on from its state, bit for bit, after JSON too', () => {
    fc.assert(
      fc.property(seed, fc.nat(50), (seed, drawn) => {
        const rng = createRng(seed);
        draws(rng, drawn);
        const state = rng.state();
        const copy = JSON.parse(JSON.stringify(state));
        const [rest, forked] = [draws(rng), draws(rng.fork('x'))];
        for (const restored of [restoreRng(state), restoreRng(copy)]) {
          expect(draws(restored)).toEqual(rest);
          expect(draws(restored.fork('x'))).toEqual(forked);
        }
        // A state is a copy: drawing on did not move it.
        expect(state).toEqual(copy);
      }),
    );
  });

  it('never changes: runs of old seeds must replay', () => {
    const rng = createRng(7).fork('epoch', 3);
    expect([seedOf(rng), seedOf(rng), seedOf(rng)]).toEqual([3378125886, 1819478675, 383192247]);
  });
});

describe('fork', () => {
  it('depends on the path only: not on what was drawn, nor on forks made before', () => {
    fc.assert(
      fc.property(seed, path, path, fc.nat(20), (seed, a, b, drawn) => {
        const want = draws(createRng(seed).fork(...a));
        const used = createRng(seed);
        draws(used, drawn);
        draws(used.fork(...b), drawn);
        expect(draws(used.fork(...a))).toEqual(want);
        // Nor does forking move the parent.
        const [parent, twin] = [createRng(seed), createRng(seed)];
        parent.fork(...a);
        expect(draws(parent)).toEqual(draws(twin));
      }),
    );
  });

  it('spells no two paths alike', () => {
    const root = createRng(0);
    const paths: (string | number)[][] = [
      [],
      ['a', 'b'],
      ['ab'],
      ['a'],
      ['b', 'a'],
      [1],
      ['1'],
      [1, 2],
      [12],
      ['12'],
      ['1', 2],
      [''],
      ['', ''],
      ['n1:1'],
      ['s1:a'],
      ['a', 's1:b'],
      [-1],
      [1.5],
      ['a\0'],
      ['as1:b'],
    ];
    const streams = [root, ...paths.map((p) => root.fork(...p)), root.fork('a').fork('b'), root.fork('a').fork('a')];
    expect(new Set(streams.map((rng) => draws(rng, 2).join())).size).toBe(streams.length);
    fc.assert(
      fc.property(path, path, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(draws(root.fork(...a))).not.toEqual(draws(root.fork(...b)));
      }),
    );
  });

  it('gives neighbours unrelated first draws', () => {
    const root = createRng('root');
    const n = 50_000;
    const counts = Array<number>(256).fill(0);
    let before = root.fork(-1).next();
    for (let i = 0; i < n; i++) {
      const x = root.fork(i).next();
      counts[Math.floor(before * 16) * 16 + Math.floor(x * 16)]!++;
      before = x;
    }
    expect(chiSquare(counts, n / 256)).toBeLessThan(limit(255));
  });
});

describe('drawing', () => {
  it('int(n) is a whole number in [0, n), every one as likely', () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 1, max: 2 ** 32 }), (seed, n) => {
        const x = createRng(seed).int(n);
        expect(Number.isInteger(x) && x >= 0 && x < n).toBe(true);
      }),
    );
    const counts = Array<number>(7).fill(0);
    const rng = createRng(1);
    for (let i = 0; i < 14_000; i++) counts[rng.int(7)]!++;
    expect(chiSquare(counts, 2000)).toBeLessThan(limit(6));
  });

  it('seedOf fills 32 bits', () => {
    const rng = createRng(2);
    const seeds = Array.from({ length: 1000 }, () => seedOf(rng));
    expect(seeds.every((s) => Number.isInteger(s) && s >= 0 && s < 2 ** 32)).toBe(true);
    expect(Math.max(...seeds)).toBeGreaterThan(0.98 * 2 ** 32);
    expect(new Set(seeds).size).toBe(1000);
  });

  it('shuffled keeps every item, leaves its input alone, and makes every order as likely', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), seed, (items, seed) => {
        const before = [...items];
        const out = shuffled(items, createRng(seed));
        expect(items).toEqual(before);
        expect(out.sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b));
      }),
    );
    const counts = new Map<string, number>();
    const rng = createRng(4);
    for (let i = 0; i < 24_000; i++) {
      const order = shuffled([1, 2, 3, 4], rng).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(chiSquare([...counts.values()], 1000)).toBeLessThan(limit(23));
  });

  it('weightedIndex follows the weights and skips zeros', () => {
    const weights = [0, 1, 3, 0, 4, 0];
    const counts = weights.map(() => 0);
    const rng = createRng(5);
    for (let i = 0; i < 8000; i++) counts[weightedIndex(weights, rng)]!++;
    expect(counts.filter((_, i) => weights[i] === 0)).toEqual([0, 0, 0]);
    const error = [1, 2, 4].map((i) => (counts[i]! - 1000 * weights[i]!) ** 2 / (1000 * weights[i]!));
    expect(error.reduce((a, b) => a + b, 0)).toBeLessThan(limit(2));
  });

  it('weightedIndex skips zeros at both ends of the stream’s range', () => {
    const weights = fc.array(fc.constantFrom(0, 0.1, 0.2, 0.3, 0.7), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(weights, fc.constantFrom(0, 1 - 2 ** -53), (ws, x) => {
        fc.pre(ws.some((w) => w > 0));
        const fixed: Rng = { ...createRng(0), next: () => x };
        expect(ws[weightedIndex(ws, fixed)]).toBeGreaterThan(0);
      }),
      {
        examples: [
          [[0.2, 0.2, 0.7, 0], 1 - 2 ** -53],
          [[0, 1], 0],
        ],
      },
    );
  });
});
