import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wellFormed, wellFormedJson } from './well-formed.ts';

const LONE = /[\ud800-\udfff]/u;
const text = fc.array(fc.constantFrom('\ud800', '\udc00', '\\', 'ud800', '"', '\n', '\0', '😀', 'a'), {
  maxLength: 12,
});

it('replaces half a surrogate pair and nothing else', () => {
  expect(wellFormed('a\ud800b\u{1f600}\0')).toBe('a\ufffdb\u{1f600}\0');
  expect(JSON.parse(wellFormedJson('\\ud800 \ud800 \\\udfff'))).toBe('\\ud800 \ufffd \\\ufffd');
});

it('agrees inside and outside of JSON', () => {
  fc.assert(
    fc.property(text, (parts) => {
      const hostile = parts.join('');
      const json = wellFormedJson({ [hostile]: hostile });
      expect(LONE.test(json)).toBe(false);
      expect(Object.entries(JSON.parse(json))).toEqual([[wellFormed(hostile), wellFormed(hostile)]]);
    }),
  );
});
