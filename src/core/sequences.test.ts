import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequences } from './sequences.ts';
import type { Turn } from './types.ts';

const turn = (prompt: number[], tokens: number[]): Turn => ({
  prompt: Int32Array.from(prompt),
  tokens: Int32Array.from(tokens),
  logprobs: Float32Array.from(tokens, (token) => -(token + 1) / 128),
});

describe('sequences', () => {
  const list = (xs: ArrayLike<number>) => Array.from(xs);

  it('merges turns whose prompts extend what came before, with weight on written tokens only', () => {
    // Wrote 3 4 after 1 2; saw the observation 5; wrote 6.
    const [datum, ...rest] = sequences([turn([1, 2], [3, 4]), turn([1, 2, 3, 4, 5], [6])]);
    expect(rest).toEqual([]);
    expect(list(datum!.tokens)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(list(datum!.weights)).toEqual([0, 0, 1, 1, 0, 1]);
    expect(list(datum!.logprobs!)).toEqual([0, 0, -4 / 128, -5 / 128, 0, -7 / 128]);
  });

  it.each<[string, Turn[], number[]]>([
    ['a prompt that rewrites history', [turn([1, 2], [3]), turn([1, 9, 3, 4], [5])], [3, 5]],
    ['a prompt that rewrites what was written', [turn([1, 2], [3]), turn([1, 2, 4], [5])], [3, 4]],
    ['a prompt that is cut short', [turn([1, 2], [3, 4]), turn([1, 2, 3], [5])], [4, 4]],
    ['prompts a server does not tell', [turn([], [3]), turn([], [5])], [1, 1]],
    ['a rewrite in the middle', [turn([1], [2]), turn([7], [8]), turn([7, 8, 9], [10])], [2, 4]],
  ])('splits at %s', (_, turns, lengths) => {
    expect(sequences(turns).map((datum) => datum.tokens.length)).toEqual(lengths);
  });

  it('loses no written token, and puts weight on nothing else', () => {
    const token = fc.integer({ min: 0, max: 127 });
    const step = fc.record({
      observed: fc.array(token, { maxLength: 3 }),
      wrote: fc.array(token, { maxLength: 4 }),
      fresh: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        let history: number[] = [];
        const turns = steps.map(({ observed, wrote, fresh }) => {
          const prompt = fresh ? observed : [...history, ...observed];
          history = [...prompt, ...wrote];
          return turn(prompt, wrote);
        });
        const data = sequences(turns);
        const written = data.flatMap(({ tokens, weights }) => list(tokens).filter((_, t) => weights[t] === 1));
        expect(written).toEqual(turns.flatMap((t) => list(t.tokens)));
        for (const { tokens, weights, logprobs } of data) {
          weights.forEach((w, t) => {
            expect(logprobs![t]).toBe(w === 1 ? -(tokens[t]! + 1) / 128 : 0);
          });
        }
        // Without a break in history there is one sequence.
        if (steps.length > 0 && steps.every((s) => !s.fresh)) expect(data).toHaveLength(1);
      }),
    );
  });

  it('makes nothing of no turns', () => {
    expect(sequences([])).toEqual([]);
  });
});
