/** Eq. 1 by hand: R_agent(a′, a) = 𝟙(a′ = a)·𝟙(a structured) + sim(a′, a)·𝟙(a free-form). */
import { describe, expect, it } from 'vitest';
import { agentReward, isSuccess } from '../../src/core/agent-reward.ts';
import type { Json, TextMetric } from '../../src/core/types.ts';

describe('Eq. 1, structured: all or nothing', () => {
  const book = { name: 'book', args: { from: 'LAX', seats: 2 } };
  const pay = { name: 'pay', args: {} };
  it.each<[string, Json, 'exact' | 'any', number]>([
    ['the target itself', [book, pay], 'exact', 1],
    ['arguments in another order', [{ args: { seats: 2, from: 'LAX' }, name: 'book' }, pay], 'exact', 1],
    ['one wrong value', [{ name: 'book', args: { from: 'LAX', seats: 3 } }, pay], 'exact', 0],
    ['a number as text', [{ name: 'book', args: { from: 'LAX', seats: '2' } }, pay], 'exact', 0],
    ['an extra argument', [{ name: 'book', args: { from: 'LAX', seats: 2, class: 'Y' } }, pay], 'exact', 0],
    ['a missing call', [book], 'exact', 0],
    ['a call too many', [book, pay, pay], 'exact', 0],
    ['calls swapped where order matters', [pay, book], 'exact', 0],
    ['calls swapped where it does not', [pay, book], 'any', 1],
    ['one call twice where order does not matter', [book, book], 'any', 0],
    ['no list at all', 'book', 'exact', 0],
    ['nothing', null, 'exact', 0],
  ])('%s', (_, answer, order, reward) => {
    expect(agentReward(answer, { kind: 'toolCalls', target: [book, pay], order })).toBe(reward);
  });

  it('keeps order unless told otherwise', () => {
    expect(agentReward([pay, book], { kind: 'toolCalls', target: [book, pay] })).toBe(0);
  });
});

describe('Eq. 1, free text: sim ∈ [0, 1]', () => {
  it.each<[string, string, TextMetric, number]>([
    ['The Eiffel Tower!', 'eiffel tower', 'exact', 1],
    ['Eiffel', 'Eiffel Tower', 'exact', 0],
    // {cat, sat, on, mat} and {cat, is, on, mat} share 3: P = 3/4, R = 3/4, F1 = 3/4; in order too, so ROUGE-L agrees.
    ['the cat sat on the mat', 'a cat is on a mat', 'f1', 3 / 4],
    ['the cat sat on the mat', 'a cat is on a mat', 'rougeL', 3 / 4],
    // The same three words backwards: F1 = 1, but the longest common subsequence is one word: 2·1/(3 + 3).
    ['mat on cat', 'cat on mat', 'f1', 1],
    ['mat on cat', 'cat on mat', 'rougeL', 1 / 3],
    // Repeating a word earns it once: shared = 1, P = 1/3, R = 1/2, F1 = 2·1/(3 + 2).
    ['go go go', 'go stop', 'f1', 2 / 5],
    // P = 1/3, R = 1: F1 = 2·1/(3 + 1).
    ['paris or rome', 'Paris', 'f1', 1 / 2],
    ['paris', 'rome', 'f1', 0],
  ])('%j against %j by %s', (answer, target, metric, reward) => {
    expect(agentReward(answer, { kind: 'text', target, metric })).toBeCloseTo(reward, 12);
  });
});

it('counts a success at 1 for structured answers, at 0.8 for text, or at a threshold that is set', () => {
  const text = { kind: 'text', target: '', metric: 'f1' } as const;
  const json = { kind: 'json', target: 0 } as const;
  expect([0.79, 0.8, 1].map((r) => isSuccess(r, text, 'auto'))).toEqual([false, true, true]);
  expect([0.8, 0.999, 1].map((r) => isSuccess(r, json, 'auto'))).toEqual([false, false, true]);
  expect([0.49, 0.5].map((r) => isSuccess(r, json, 0.5))).toEqual([false, true]);
});
