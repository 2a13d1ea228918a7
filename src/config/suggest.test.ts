import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closest, editDistance, suggestSetting } from './suggest.ts';

test('edit distance counts a swap of neighbours as one edit', () => {
  expect(editDistance('kMin', 'kMin')).toBe(0);
  expect(editDistance('betta', 'beta')).toBe(1);
  expect(editDistance('aplha', 'alpha')).toBe(1);
  expect(editDistance('', 'seed')).toBe(4);
});

test('edit distance is symmetric, and zero only for equal words', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

test('a far word is close to nothing', () => {
  expect(closest('frobnicate', ['alpha', 'beta'])).toBeUndefined();
  expect(closest('x', ['seed', 'name'])).toBeUndefined();
});

describe('an unknown name is met with', () => {
  test.each([
    ['the setting nearby', 'curriculum', 'betta', 'Did you mean "beta"?'],
    ['our spelling', 'curriculum', 'k_min', 'Did you mean "kMin"?'],
    ["the paper's symbol", 'curriculum', 'β', 'Did you mean "beta"?'],
    ["the paper's letter", 'curriculum', 'G', 'Did you mean "rollouts"?'],
    ['what habit calls it', 'agent', 'lr', 'Did you mean "learningRate"?'],
    ['the section it lives in', 'rollout', 'kMin', 'Did you mean "curriculum.kMin"?'],
    ['all the sections it lives in', '', 'klCoef', 'Did you mean "agent.klCoef" or "environment.klCoef"?'],
    ['the section itself', '', 'curiculum', 'Did you mean "curriculum"?'],
    ['how to nest it', '', 'curriculum.alpha', 'Write "alpha:" on its own line, indented under "curriculum:".'],
    ['what there is', 'fixed', 'frobnicate', 'Settings of fixed: variations, teacherRatio.'],
  ])('%s', (_, section, key, sentence) => {
    expect(suggestSetting(section, key)).toBe(sentence);
  });
});
