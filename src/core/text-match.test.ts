import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentReward } from './agent-reward.ts';
import { textMatch } from './text-match.ts';
import type { TextMetric } from './types.ts';

const spec = (target: string, metric: TextMetric) => ({ kind: 'text' as const, target, metric });
const said = (list: { word: string; shared: boolean }[]) =>
  list.map(({ word, shared }) => (shared ? word.toUpperCase() : word)).join(' ');

describe('a text match', () => {
  it('marks as many of a word as both texts have, wherever they stand', () => {
    const { answer, target, shared, score } = textMatch('The red, red bell!', spec('bell red blue', 'f1'));
    expect([said(answer), said(target), shared]).toEqual(['RED red BELL', 'BELL RED blue', 2]);
    expect(score).toBeCloseTo(4 / 6);
  });

  it('marks what stands in the same order where order counts', () => {
    const { answer, target } = textMatch('one three two', spec('one two three', 'rougeL'));
    expect([said(answer), said(target)]).toEqual(['ONE three TWO', 'ONE TWO three']);
  });

  it('reads an answer that is no text as its JSON', () => {
    expect(said(textMatch({ b: 1, c: 'Red' }, spec('red', 'f1')).answer)).toBe('b 1 c RED');
  });

  it('counts what it marks, and scores as the reward does', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bell', 'Bell,', 'red', '+', 'über', '42'), { maxLength: 12 })
      .map((list) => list.join(' '));
    fc.assert(
      fc.property(text, text, fc.constantFrom<TextMetric>('exact', 'f1', 'rougeL'), (answer, target, metric) => {
        const match = textMatch(answer, spec(target, metric));
        expect(match.answer.filter(({ shared }) => shared)).toHaveLength(match.shared);
        expect(match.target.filter(({ shared }) => shared)).toHaveLength(match.shared);
        expect(match.score).toBe(agentReward(answer, spec(target, metric)));
      }),
    );
  });
});
