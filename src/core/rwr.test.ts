import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanKl, rwrData, withKlCap } from './rwr.ts';

const tokens = fc.array(fc.nat(99), { minLength: 1, maxLength: 6 });
const record = fc
  .record({ prompt: tokens, wrote: tokens, weight: fc.double({ min: -3, max: 3, noNaN: true }) })
  .map(({ prompt, wrote, weight }) => ({
    weight,
    turn: { prompt: Int32Array.from(prompt), tokens: Int32Array.from(wrote), logprobs: new Float32Array(wrote.length) },
  }));

describe('rwrData', () => {
  it('gives each record its own sequence and credit, and the batch a weight of 1', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), (records) => {
        const data = rwrData(records);
        expect(data).toHaveLength(records.length);
        const total = data.flatMap((d) => Array.from(d.weights)).reduce((a, b) => a + b, 0);
        expect(total).toBeCloseTo(1, 5);
        data.forEach(({ tokens, weights, advantages }, i) => {
          const { turn, weight } = records[i]!;
          expect(Array.from(tokens)).toEqual([...turn.prompt, ...turn.tokens]);
          expect(new Set(advantages)).toEqual(new Set([Math.fround(weight)]));
          expect(weights.findIndex((w) => w > 0)).toBe(turn.prompt.length);
        });
      }),
    );
  });

  it('makes nothing of nothing', () => {
    expect(rwrData([])).toEqual([]);
  });
});

describe('meanKl', () => {
  it('is 0 between equal policies, positive between others, and a NaN is not hidden', () => {
    const data = rwrData([
      { weight: 1, turn: { prompt: Int32Array.of(1), tokens: Int32Array.of(2, 3), logprobs: new Float32Array(2) } },
    ]);
    const at = (...xs: number[]) => [Float32Array.of(...xs)];
    expect(meanKl(data, at(0, -1, -2), at(-5, -1, -2))).toBe(0);
    expect(meanKl(data, at(0, -1, -2), at(0, -1, -2.5))).toBeGreaterThan(0);
    expect(meanKl(data, at(0, Number.NaN, -2), at(0, -1, -2))).toBeNaN();
  });
});

describe('withKlCap', () => {
  it('leaves either a step under the cap or the weights it found, whatever the KLs', async () => {
    const kls = fc.array(
      fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
      { minLength: 4, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(kls, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), async (kls, maxKl, halvings) => {
        let weights = 'good';
        let at = 0;
        const scales: number[] = [];
        const report = await withKlCap(
          {
            apply: async (scale) => {
              // A step starts from the last good weights, never on top of a refused one.
              expect(weights).toBe('good');
              scales.push(scale);
              weights = `stepped ${scale}`;
            },
            measureKl: async () => (weights === 'good' ? 0 : kls[at++]!),
            restore: async () => {
              weights = 'good';
            },
          },
          maxKl,
          halvings,
        );
        const first = kls.slice(0, halvings + 1).findIndex((kl) => kl <= maxKl);
        expect(report.applied).toBe(first >= 0);
        expect(scales).toEqual(Array.from({ length: first >= 0 ? first + 1 : halvings + 1 }, (_, i) => 0.5 ** i));
        expect(report.attempts).toEqual(kls.slice(0, scales.length));
        expect(weights).toBe(first >= 0 ? `stepped ${report.scale}` : 'good');
        expect(report.kl <= maxKl).toBe(true);
      }),
    );
  });
});
