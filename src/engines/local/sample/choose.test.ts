import { describe, expect, it } from 'vitest';
import { uniformStream } from '../random.ts';
import { type Choice, chooseToken } from './choose.ts';

const p = Float32Array.of(0.05, 0.4, 0.1, 0.25, 0.2);

/** Compares how often each token is chosen with what it should be. */
function expectShares(choice: Choice, expected: readonly number[], q: Float32Array = p): void {
  const uniform = uniformStream(1);
  const draws = 20_000;
  const counts = Array.from(q, () => 0);
  for (let i = 0; i < draws; i++) counts[chooseToken(p, q, choice, uniform())]!++;
  for (const [token, share] of expected.entries()) {
    if (share === 0) expect(counts[token]).toBe(0);
    else expect(Math.abs(counts[token]! / draws - share), `token ${token}`).toBeLessThan(0.015);
  }
}

describe('choosing a token', () => {
  it('follows the distribution it is given', () => {
    expectShares({ temperature: 1 }, [...p]);
    expectShares({ temperature: 0.5 }, [0.1, 0.6, 0.1, 0.1, 0.1], Float32Array.of(0.1, 0.6, 0.1, 0.1, 0.1));
  });

  it('takes the most likely at temperature 0, the first of equals', () => {
    expectShares({ temperature: 0 }, [0, 1, 0, 0, 0]);
    expect(chooseToken(Float32Array.of(0.3, 0.35, 0.35), p, { temperature: 0 }, 0)).toBe(1);
  });

  it('keeps the k most likely', () => {
    expectShares({ temperature: 1, topK: 2 }, [0, 0.4 / 0.65, 0, 0.25 / 0.65, 0]);
  });

  it('keeps the smallest set that reaches p, at least one', () => {
    expectShares({ temperature: 1, topP: 0.6 }, [0, 0.4 / 0.65, 0, 0.25 / 0.65, 0]);
    expectShares({ temperature: 1, topP: 0.01 }, [0, 1, 0, 0, 0]);
  });

  it('breaks ties at the cut by position, so that exactly k remain', () => {
    const flat = new Float32Array(5).fill(0.2);
    expectShares({ temperature: 1, topK: 2 }, [0.5, 0.5, 0, 0, 0], flat);
  });

  it('renormalises over what a mask allows, and says when that is nothing', () => {
    const allowed = Uint8Array.of(1, 0, 0, 0, 1);
    expectShares({ temperature: 1, allowed }, [0.2, 0, 0, 0, 0.8]);
    expect(() => chooseToken(p, p, { temperature: 1, allowed: new Uint8Array(5) }, 0.5)).toThrow('no allowed token');
  });

  it('never falls off the end, even where rounding leaves a sliver', () => {
    expect(chooseToken(p, p, { temperature: 1 }, 1 - 2 ** -32)).toBe(4);
  });
});
