import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clip, padEnd, padStart, textWidth, wrap } from './text-width.ts';
import { visible } from './visible.ts';

const text = fc.string({ unit: 'grapheme' }).map(visible);
const width = fc.integer({ min: 2, max: 40 });

it('counts columns: marks take none, CJK and emoji two, colours none', () => {
  const widths = { abc: 3, p̂: 1, 日本: 4, '👩‍🚀': 2, '\x1b[1mbold\x1b[22m': 4, '▒●': 2, '': 0 };
  for (const [shown, columns] of Object.entries(widths)) expect(textWidth(shown)).toBe(columns);
});

it('pads to a width', () => {
  expect(`${padStart('日', 4)}|${padEnd('p̂', 3)}|`).toBe('  日|p̂  |');
});

it('clips to a width, and says so', () => {
  expect(clip('a long text', 7)).toBe('a long…');
  expect(clip('short', 7)).toBe('short');
  expect(clip('x'.repeat(1e7), 5)).toBe('xxxx…');
  fc.assert(fc.property(text, width, (any, columns) => textWidth(clip(any, columns)) <= columns));
});

it('wraps at spaces, within the width, and loses no word', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrap('  kept', 20)).toEqual(['  kept']);
  const words = (all: string) => all.replace(/\s/g, '');
  fc.assert(
    fc.property(text, width, (any, columns) => {
      const lines = wrap(any, columns);
      return words(lines.join('')) === words(any) && lines.every((line) => textWidth(line) <= columns);
    }),
  );
});
