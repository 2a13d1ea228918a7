import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from './fixtures.ts';
import { isExactMatch, scoresOf } from './score.ts';

describe('EM, cover-EM and F1', () => {
  it.each([
    ['Paris', ['paris.'], 1, 1, 1],
    ['It is Paris.', ['Paris'], 0, 1, 1 / 2],
    ['comparison', ['Paris'], 0, 1, 0],
    ['Paris', ['It is Paris'], 0, 0, 1 / 2],
    ['London', ['Paris', 'The London'], 1, 1, 1],
    ['14,000', ['14000'], 1, 1, 1],
    ['red red blue', ['red'], 0, 1, 1 / 2],
    ['blue red', ['red blue'], 0, 0, 1],
    ['No', ['Yes'], 0, 0, 0],
    ['No, thanks', ['No'], 0, 1, 0],
    ['no', ['no way'], 0, 0, 0],
    ['noanswer', ['noanswer given'], 0, 0, 0],
    ['know', ['no'], 0, 1, 0],
    ['', ['Paris'], 0, 0, 0],
    ['anything', ['The'], 0, 1, 0],
    ['anything', [], 0, 0, 0],
  ])('%j against %j are %d, %d and %d', (prediction, golds, em, coverEm, f1) => {
    const scores = scoresOf(prediction, golds);
    expect([scores.em, scores.coverEm]).toEqual([em, coverEm]);
    expect(scores.f1).toBeCloseTo(f1, 12);
    expect(isExactMatch(prediction, golds)).toBe(em === 1);
  });

  it('stay in bounds, and what matches exactly is right by all metrics', () => {
    const text = fc.oneof(anyText(), fc.lorem({ maxCount: 4 }));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (prediction, golds) => {
        const { em, coverEm, f1, relaxed } = scoresOf(prediction, golds);
        expect(f1).toBeGreaterThanOrEqual(0);
        expect(f1).toBeLessThanOrEqual(1 + 1e-12);
        if (em === 1) expect([coverEm, relaxed]).toEqual([1, 1]);
        if (f1 === 0 && em === 0) expect(relaxed === 0 || coverEm === 1).toBe(true);
      }),
    );
  });

  it('do not depend on the order of the golds', () => {
    fc.assert(
      fc.property(fc.lorem(), fc.array(fc.lorem(), { minLength: 1, maxLength: 4 }), (prediction, golds) => {
        expect(scoresOf(prediction, golds.toReversed())).toEqual(scoresOf(prediction, golds));
      }),
    );
  });
});

describe('relaxed', () => {
  const relaxed = (prediction: string, gold: string) => scoresOf(prediction, [gold]).relaxed;

  it('wants the whole words of the gold in a row', () => {
    expect(relaxed('It was the city of Paris, I think.', 'Paris')).toBe(1);
    expect(relaxed('1131 people', '131')).toBe(0);
    expect(relaxed('York, New', 'New York')).toBe(0);
    expect(relaxed('anything', 'The')).toBe(0);
  });

  it('does not look for yes and no inside of sentences', () => {
    expect(relaxed('Yes.', 'yes')).toBe(1);
    expect(relaxed('Yes, they can', 'Yes')).toBe(0);
    expect(relaxed('There is no such thing', 'No')).toBe(0);
  });

  it.each([
    ['5 May 1821', 'May 5, 1821'],
    ['It ended on the 5th of May, 1821.', 'May 5, 1821'],
    ['1821 May 5', '5 May 1821'],
    ['5 Sept. 1821', 'September 5, 1821'],
    ['Dec 1, 987', '1 December 987'],
  ])('takes %j for %j', (prediction, gold) => {
    expect(relaxed(prediction, gold)).toBe(1);
  });

  it.each([
    ['6 May 1821', 'May 5, 1821'],
    ['5 June 1821', 'May 5, 1821'],
    ['May 1821', 'May 5, 1821'],
    ['5 May 1821', 'the war of May 5, 1821'],
    ['5 men, May, in 1821', 'May 5, 1821'],
    ['32 May 1821', 'May 32 1821 or so'],
  ])('does not take %j for %j', (prediction, gold) => {
    expect(relaxed(prediction, gold)).toBe(0);
  });
});

it('scores megabytes of anything', () => {
  for (const text of ['5 may '.repeat(3e5), 'x'.repeat(1e7), 'b '.repeat(1e6), '\ud800'.repeat(1e6)]) {
    expect(scoresOf(text, ['May 5, 1821', 'b b b c']).em).toBe(0);
  }
});
