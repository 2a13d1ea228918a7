import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pieces } from './text.tsx';

it('characters that hide or move text are shown as escapes', () => {
  expect(pieces('a\u202eb\x1b[31m\0')).toEqual([
    { text: 'a', hidden: false },
    { text: '\\u202e', hidden: true },
    { text: 'b', hidden: false },
    { text: '\\x1b', hidden: true },
    { text: '[31m', hidden: false },
    { text: '\\x00', hidden: true },
  ]);
});

it('line breaks lay out a block, and are seen in a line', () => {
  expect(pieces('a\n\tb')).toEqual([{ text: 'a\n\tb', hidden: false }]);
  expect(pieces('a\nb', { line: true }).map(({ text }) => text)).toEqual(['a', '↵', 'b']);
});

it('nothing hidden is left in what is shown, and nothing that can be seen is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const shown = pieces(text, { line: true });
      expect(shown.map((piece) => piece.text).join('')).not.toMatch(
        /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/u,
      );
      const visible = text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
      expect(
        shown
          .filter(({ hidden }) => !hidden)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(visible);
    }),
  );
});
