import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Datum, Loss } from '../../core/engine.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { adamStep, backward, createMoments, createTable, forward, logProbs, type Table } from './table.ts';

/** Roughly normal: the sum of twelve uniforms, less its mean. */
const normal = (rng: Rng) => Array.from({ length: 12 }, () => rng.next()).reduce((a, b) => a + b) - 6;

const ROWS = { two: [0.3, -0.2], three: [1, 0, -1], five: [0, 0.5, -0.5, 2, 0.1], one: [7] };
const SIZES = Object.values(ROWS).map((row) => row.length);

/** A conversation of one to three turns, with weights, advantages and old log-probs like those of real data. */
function conversation(rng: Rng): Datum {
  const tokens: number[] = [];
  const written: boolean[] = [];
  for (let turn = rng.int(3); turn >= 0; turn--) {
    const rows = Array.from({ length: 1 + rng.int(4) }, () => rng.int(SIZES.length));
    tokens.push(rows.length, ...rows, ...rows.map((row) => rng.int(SIZES[row]!)));
    written.push(false, ...rows.map(() => false), ...rows.map(() => rng.next() < 0.8));
  }
  const perToken = (value: () => number) => Float32Array.from(tokens, value);
  return {
    tokens: Int32Array.from(tokens),
    weights: Float32Array.from(written, (mine) => (mine ? 0.1 + rng.next() : 0)),
    logprobs: perToken(() => -1.5 + normal(rng)),
    advantages: perToken(() => normal(rng)),
    reference: perToken(() => -1.5 + normal(rng)),
  };
}

const LOSSES: Loss[] = [
  { kind: 'crossEntropy' },
  { kind: 'crossEntropy', klCoef: 0.3 },
  { kind: 'importanceSampling' },
  { kind: 'importanceSampling', klCoef: 0.3 },
  { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 },
  { kind: 'clipped', clipLow: 0.1, clipHigh: 0.4, klCoef: 0.3 },
];

describe('gradients', () => {
  it.each(LOSSES)('of $kind with klCoef $klCoef equal finite differences, over several turns', (loss) => {
    const rng = createRng('gradients');
    for (let trial = 0; trial < 20; trial++) {
      const table = createTable(ROWS);
      const data = Array.from({ length: 3 }, () => conversation(rng));
      const grads = new Float64Array(table.logits.length);
      backward(table, data, loss, grads);
      const lossAt = (i: number, step: number) => {
        const moved: Table = { ...table, logits: table.logits.slice() };
        moved.logits[i]! += step;
        return backward(moved, data, loss, new Float64Array(grads.length)).loss;
      };
      const step = 1e-5;
      grads.forEach((grad, i) => {
        const numeric = (lossAt(i, step) - lossAt(i, -step)) / (2 * step);
        expect(Math.abs(grad - numeric)).toBeLessThan(1e-5 * (1 + Math.abs(numeric)));
      });
    }
  });

  it('of a row sum to zero: only differences of logits mean anything', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...LOSSES), (seed, loss) => {
        const table = createTable(ROWS);
        const grads = new Float64Array(table.logits.length);
        backward(table, [conversation(createRng(seed))], loss, grads);
        table.names.forEach((_, row) => {
          const sum = grads.slice(table.offsets[row]!, table.offsets[row + 1]!).reduce((a, b) => a + b, 0);
          expect(Math.abs(sum)).toBeLessThan(1e-9);
        });
      }),
    );
  });

  it('add up over calls', () => {
    const table = createTable(ROWS);
    const rng = createRng(5);
    const [a, b] = [conversation(rng), conversation(rng)];
    const [together, apart] = [new Float64Array(table.logits.length), new Float64Array(table.logits.length)];
    backward(table, [a, b], LOSSES[0]!, together);
    backward(table, [a], LOSSES[0]!, apart);
    backward(table, [b], LOSSES[0]!, apart);
    expect(apart).toEqual(together);
  });

  it('of one cross-entropy token are p − 1 on the choice and p elsewhere', () => {
    const table = createTable({ coin: [0, 0], die: [0, 0, 0] });
    const grads = new Float64Array(5);
    const datum: Datum = { tokens: Int32Array.of(1, 0, 1), weights: Float32Array.of(0, 0, 1) };
    const { loss, logprobs } = backward(table, [datum], { kind: 'crossEntropy' }, grads);
    expect(loss).toBeCloseTo(Math.LN2, 12);
    expect(logprobs[0]![2]).toBeCloseTo(-Math.LN2, 6);
    expect([...grads]).toEqual([0.5, -0.5, 0, 0, 0]);
  });
});

describe('log-probs', () => {
  it('of a row are those of a distribution, however large its logits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 8 }),
        (logits) => {
          const total = logProbs(createTable({ row: logits }), 0).reduce((sum, lp) => sum + Math.exp(lp), 0);
          expect(total).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('are 0 where the weight is 0, and the rest do not depend on it', () => {
    const table = createTable(ROWS);
    const datum = conversation(createRng(11));
    const all = forward(table, { ...datum, weights: datum.weights.map(() => 1) });
    forward(table, datum).forEach((lp, t) => {
      expect(lp).toBe(datum.weights[t] === 0 ? 0 : all[t]);
    });
  });

  it('of a reply cut off in the middle are those of its beginning', () => {
    const table = createTable(ROWS);
    const whole: Datum = { tokens: Int32Array.of(2, 0, 1, 1, 2), weights: Float32Array.of(0, 0, 0, 1, 1) };
    const cut: Datum = { tokens: whole.tokens.slice(0, 4), weights: whole.weights.slice(0, 4) };
    expect(forward(table, cut)).toEqual(forward(table, whole).slice(0, 4));
  });
});

describe('ids that mean nothing', () => {
  const all = (...tokens: number[]): Datum => ({
    tokens: Int32Array.from(tokens),
    weights: new Float32Array(tokens.length).fill(1),
  });
  it.each([
    ['a row that is not there', all(1, 4, 0), 'Token 4 names no row: the table has 4.'],
    ['a row below zero', all(1, -1, 0), 'Token -1 names no row: the table has 4.'],
    ['an option that a row lacks', all(1, 0, 2), 'Token 2 is 2, but row "two" has 2 options.'],
    ['an option below zero', all(1, 1, -3), 'Token 2 is -3, but row "three" has 3 options.'],
    ['a turn longer than its sequence', all(9, 0, 1), 'Token 0 (9) opens a turn that does not fit its sequence.'],
    ['a second turn of negative length', all(1, 0, 1, -2, 0), 'Token 3 (-2) opens a turn that does not fit'],
  ])('are refused: %s', (_, datum, message) => {
    expect(() => forward(createTable(ROWS), datum)).toThrow(message);
    expect(() => forward(createTable(ROWS), datum)).toThrow(RangeError);
  });
});

describe('an optimizer step', () => {
  const step = (grads: number[], options: Parameters<typeof adamStep>[3], moments = createMoments(grads.length)) => {
    const table = createTable({ row: grads.map(() => 1) });
    const norm = adamStep(table, Float64Array.from(grads), moments, options);
    return { norm, moved: [...table.logits].map((x) => x - 1) };
  };

  it('moves by the learning rate against the sign of the gradient, the first time, and not where there is none', () => {
    const { norm, moved } = step([3, -4, 0], { learningRate: 0.1 });
    expect(norm).toBe(5);
    expect(moved[0]).toBeCloseTo(-0.1, 6);
    expect(moved[1]).toBeCloseTo(0.1, 6);
    expect(moved[2]).toBe(0);
  });

  it('reports the norm before clipping, and remembers the gradient after it', () => {
    const moments = createMoments(2);
    expect(step([3, -4], { learningRate: 0.1, maxGradNorm: 1, beta2: 0.5 }, moments).norm).toBe(5);
    expect(moments.second[0]).toBeCloseTo(0.5 * 0.6 ** 2, 12);
    expect(moments.second[1]).toBeCloseTo(0.5 * 0.8 ** 2, 12);
    expect(moments.steps).toBe(1);
  });

  it('follows Adam: two steps worked by hand', () => {
    const table = createTable({ row: [0] });
    const moments = createMoments(1);
    const options = { learningRate: 1, beta1: 0.5, beta2: 0.5, eps: 0 };
    adamStep(table, Float64Array.of(2), moments, options);
    expect(table.logits[0]).toBeCloseTo(-1, 12);
    adamStep(table, Float64Array.of(-1), moments, options);
    // m = (0.5·1 − 0.5·1)/0.75 = 0, so the second step stands still.
    expect(table.logits[0]).toBeCloseTo(-1, 12);
    adamStep(table, Float64Array.of(4), moments, options);
    // m = (0.5·0 + 0.5·4)/0.875, v = (0.5·1.5 + 0.5·16)/0.875.
    expect(table.logits[0]).toBeCloseTo(-1 - 2 / 0.875 / Math.sqrt(8.75 / 0.875), 12);
  });

  it('decays weights apart from the gradient', () => {
    expect(step([0], { learningRate: 0.1, weightDecay: 0.5 }).moved[0]).toBeCloseTo(-0.05, 12);
  });
});
