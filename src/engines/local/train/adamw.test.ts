import { expect, it } from 'vitest';
import { normalStream } from '../random.ts';
import { ADAMW_DEFAULTS, adamwUpdate, sumOfSquares } from './adamw.ts';

const normal = normalStream(1);
const random = (length: number) => Float32Array.from({ length }, normal);

it('equals AdamW written out in double precision, over lengths that do not fill a vector or a piece', () => {
  for (const length of [1, 7, 16_384, 40_003]) {
    const weights = random(length);
    const [m, v] = [new Float32Array(length), new Float32Array(length)];
    const options = { ...ADAMW_DEFAULTS, learningRate: 0.01, weightDecay: 0.1 };
    const [w64, m64, v64] = [Float64Array.from(weights), new Float64Array(length), new Float64Array(length)];
    for (const step of [1, 2, 3]) {
      const gradient = random(length);
      adamwUpdate({ weights, gradient, m, v }, options, { from: 0, to: length }, step, 0.5);
      for (let i = 0; i < length; i++) {
        const g = 0.5 * gradient[i]!;
        m64[i] = 0.9 * m64[i]! + 0.1 * g;
        v64[i] = 0.999 * v64[i]! + 0.001 * g * g;
        const direction = m64[i]! / (1 - 0.9 ** step) / (Math.sqrt(v64[i]! / (1 - 0.999 ** step)) + 1e-8);
        w64[i] = w64[i]! * (1 - 0.01 * 0.1) - 0.01 * direction;
      }
    }
    for (let i = 0; i < length; i++) expect(Math.abs(weights[i]! - w64[i]!)).toBeLessThan(1e-6);
  }
});

it('touches nothing outside its range, and accepts shared memory', () => {
  const shared = () => new Float32Array(new SharedArrayBuffer(4 * 100));
  const state = { weights: shared().fill(1), gradient: shared().fill(1), m: shared(), v: shared() };
  adamwUpdate(state, { ...ADAMW_DEFAULTS, learningRate: 0.5 }, { from: 10, to: 21 }, 1, 1);
  for (const [i, w] of state.weights.entries()) expect(w).toBeCloseTo(i >= 10 && i < 21 ? 0.5 : 1, 5);
});

it('sums squares in double precision', () => {
  const values = random(50_001);
  const expected = values.slice(3, 49_999).reduce((sum, x) => sum + x * x, 0);
  expect(Math.abs(sumOfSquares(values, { from: 3, to: 49_999 }) / expected - 1)).toBeLessThan(1e-12);
});
