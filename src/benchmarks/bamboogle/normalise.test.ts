import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { anyText } from './fixtures.ts';
import { hasRun, normalise, wordsOf } from './normalise.ts';
import { squeeze, strip, textAfter, textBefore } from './python-strings.ts';

describe('normalising', () => {
  it.each([
    ['The Cat, the Hat!', 'cat hat'],
    ['Rock-and-Roll', 'rockandroll'],
    ['U.S.', 'us'],
    ["It's 5 o'clock", 'its 5 oclock'],
    ['“The” sea', '“ ” sea'],
    ['the_', ''],
    ['a—b', '—b'],
    ['Ánimas', 'ánimas'],
    ['añil', 'añil'],
    ['a\u0301rbol', '\u0301rbol'],
    ['a²', 'a²'],
    ['the中', 'the中'],
    ['The A An', ''],
    ['theatre analog Athens', 'theatre analog athens'],
    ['one\x1cthe\x85two\u3000three', 'one two three'],
    ['\ufeffthe end', '\ufeff end'],
    ['ΟΔΟΣ', 'οδος'],
    ['\ud800 the x', '\ud800 x'],
    ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', ''],
  ])('makes %j to %j', (text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it('has single spaces, no capitals of ASCII and no ASCII punctuation left, and stays as it is the second time', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const once = normalise(text);
        expect(once).not.toMatch(/[!-/:-@[-`{-~A-Z]|^ | $| {2}/);
        expect(wordsOf(once).join(' ')).toBe(once);
      }),
    );
  });

  it('takes linear time', () => {
    for (const text of ['a'.repeat(1e6), 'a '.repeat(5e5), ' '.repeat(1e6), '.'.repeat(1e6), '\u3000x'.repeat(5e5)]) {
      const spent = cpuStopwatch();
      normalise(text);
      expect(spent()).toBeLessThan(5000);
    }
  });

  it('finds words in a row, whole words only, and no words nowhere', () => {
    expect(hasRun('in new york city', 'new york')).toBe(true);
    expect(hasRun('in new yorkshire', 'new york')).toBe(false);
    expect(hasRun('york new', 'new york')).toBe(false);
    expect(hasRun('anything', '')).toBe(false);
  });
});

describe("Python's strings", () => {
  it('are stripped of what Python holds for space', () => {
    expect(strip(' \t\x1c\x85\xa0\u2028x y\u3000\x1f\n')).toBe('x y');
    expect(strip('\ufeffx\u200b')).toBe('\ufeffx\u200b');
    expect(strip(' \n')).toBe('');
    expect(squeeze(' x \x0b\x0c y ')).toBe('x y');
  });

  it('are cut at the first marker and before the next', () => {
    expect(textAfter('a<m>b<m>c', '<m>')).toBe('b');
    expect(textAfter('a<m>', '<m>')).toBe('');
    expect(textAfter('a', '<m>')).toBeUndefined();
    expect(textBefore('a<m>b', '<m>')).toBe('a');
    expect(textBefore('a', '<m>')).toBe('a');
  });
});
