import { describe, expect, it } from 'vitest';
import type { EvalSpec, Json } from './types.ts';
import { countVotes } from './votes.ts';

const attempts = (answers: Json[], right: Json = 'label') =>
  answers.map((answer) => ({
    answer,
    valid: answer !== 'void',
    success: JSON.stringify(answer) === JSON.stringify(right),
  }));
const JSON_SPEC: EvalSpec = { kind: 'json', target: 'label' };

describe('solver votes', () => {
  it('are counted over epochs, most frequent first, whatever the order of keys', () => {
    const { votes, answered, silent } = countVotes(
      [
        { epoch: 1, traces: attempts([{ a: 1, b: 2 }, 'label', null]) },
        { epoch: 3, traces: attempts([{ b: 2, a: 1 }, { a: 1, b: 2 }, 'void']) },
      ],
      JSON_SPEC,
    );
    expect(votes).toEqual([
      {
        answer: { a: 1, b: 2 },
        count: 3,
        right: false,
        epochs: [
          [1, 1],
          [3, 2],
        ],
      },
      { answer: 'label', count: 1, right: true, epochs: [[1, 1]] },
    ]);
    expect([answered, silent]).toEqual([4, 2]);
  });

  it('against the label are a warning where more than half agree', () => {
    const against = (answers: Json[]) =>
      countVotes([{ epoch: 1, traces: attempts(answers) }], JSON_SPEC).against?.answer ?? null;
    expect(against(['x', 'x', 'x', 'label', 'y'])).toBe('x');
    // Half is no majority, three answers are no consensus, and agreeing with the label is as it should be.
    expect(against(['x', 'x', 'label', 'label'])).toBe(null);
    expect(against(['x', 'x', 'x'])).toBe(null);
    expect(against(['label', 'label', 'label', 'x'])).toBe(null);
    // Silence is not a vote.
    expect(against(['x', 'x', 'x', 'label', null, null, null, 'void'])).toBe('x');
  });

  it('are the same where the reward can not tell them apart', () => {
    const call = (name: string) => ({ name, args: {} });
    const any: EvalSpec = { kind: 'toolCalls', target: [], order: 'any' };
    const count = (answers: Json[], spec: EvalSpec) =>
      countVotes([{ epoch: 1, traces: attempts(answers) }], spec).votes.length;
    expect(
      count(
        [
          [call('a'), call('b')],
          [call('b'), call('a')],
        ],
        any,
      ),
    ).toBe(1);
    expect(
      count(
        [
          [call('a'), call('b')],
          [call('b'), call('a')],
        ],
        { ...any, order: 'exact' },
      ),
    ).toBe(2);
    expect(count(['The Bell!', 'bell'], { kind: 'text', target: 'bell', metric: 'exact' })).toBe(1);
  });
});
