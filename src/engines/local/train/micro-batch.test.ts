import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Datum } from '../../../core/engine.ts';
import { microBatches } from './micro-batch.ts';
import { shareOut } from './share-out.ts';

const datum = (length: number, firstWeighted: number): Datum => ({
  tokens: Int32Array.from({ length }, (_, t) => 100 * length + t),
  weights: Float32Array.from({ length }, (_, t) => (t >= Math.max(1, firstWeighted) ? t : 0)),
});
const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 })), { maxLength: 30 });

describe('micro-batches', () => {
  it('hold every weighted token exactly once, next to exactly what precedes it', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 400 }), (specs, maxTokens) => {
        const data = specs.map(([length, first]) => datum(length, first));
        const seen = new Set<string>();
        for (const batch of microBatches(data, { maxTokens })) {
          for (const [i, row] of batch.rows.entries()) {
            const { tokens, weights } = data[batch.datum[i]!]!;
            const t = batch.entry[i]!;
            seen.add(`${batch.datum[i]} ${t}`);
            expect(Number(batch.targets[i])).toBe(tokens[t]);
            expect(batch.weights[i]).toBe(weights[t]);
            for (let back = 0; back < t; back++) {
              const at = Number(row) - back;
              expect(Number(batch.tokens[at])).toBe(tokens[t - 1 - back]);
              expect(Number(batch.positions[at])).toBe(t - 1 - back);
              expect(batch.segments[at]).toBe(batch.segments[Number(row)]);
            }
          }
        }
        const expected = data.reduce((sum, { weights }) => sum + weights.filter((w) => w !== 0).length, 0);
        expect(seen.size).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('stay within their size unless a single sequence is longer', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 64, max: 400 }), (specs, maxTokens) => {
        const data = specs.map(([length, first]) => datum(length, first));
        for (const batch of microBatches(data, { maxTokens }))
          expect(batch.batch * batch.length).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });

  it('skip what carries no weight, and end with the last token that does', () => {
    const tail: Datum = { tokens: Int32Array.of(1, 2, 3, 4, 5), weights: Float32Array.of(0, 1, 0, 0, 0) };
    const nothing: Datum = { tokens: Int32Array.of(1, 2), weights: Float32Array.of(0, 0) };
    const [batch, ...rest] = microBatches([nothing, tail], { maxTokens: 64 });
    expect(rest).toEqual([]);
    expect([...batch!.segments]).toEqual([0n, -1n, -1n, -1n, -1n, -1n, -1n, -1n]);
  });

  it('are shared out evenly and the same way every time', () => {
    const data = Array.from({ length: 40 }, (_, i) => datum(20 + (i % 17), 1));
    const batches = microBatches(data, { maxTokens: 128 });
    const shares = shareOut(batches, 3);
    expect(shares).toEqual(shareOut(batches, 3));
    const loads = shares.map((share) => share.reduce((sum, b) => sum + b.batch * b.length, 0));
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(128);
  });
});
