import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE } from './fixtures.ts';
import { visible, visibleJson, visibleLines } from './visible.ts';

/** Anything that moves a cursor, changes a mode, reorders or hides text. */
const DANGEROUS =
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const LONE = /[\ud800-\udfff]/u;
const text = fc.string({ unit: 'binary' });

describe('text from models', () => {
  it('shows what would otherwise act on the terminal', () => {
    expect(visible('\x1b[31mred\x9b0m')).toBe('\\x1b[31mred\\x9b0m');
    expect(visible('a\u202eb')).toBe('a\\u202eb');
    expect(visible('\u{e0041}')).toBe('\\u{e0041}');
    expect(visible('\ud800x')).toBe('\\ud800x');
    expect(visible('one\ntwo\tthree\r')).toBe('one\\ntwo\\tthree\\r');
  });

  it('leaves words alone, in any script, joined emoji included', () => {
    for (const words of ['p̂ → ½ “x”', '日本語', 'می‌خواهم', '👩‍🚀 🇫🇷']) expect(visible(words)).toBe(words);
  });

  it('keeps line breaks between lines only', () => {
    expect(visibleLines('a\r\n\tb\x1b\n')).toEqual(['a', '    b\\x1b', '']);
  });

  it('is never dangerous, whatever it was', () => {
    const isSafe = (shown: string) => !DANGEROUS.test(shown) && !LONE.test(shown);
    fc.assert(
      fc.property(fc.oneof(text, fc.constant(HOSTILE)), (any) => isSafe(visible(any)) && isSafe(visibleJson(any))),
    );
  });

  it('as JSON is the same value', () => {
    fc.assert(fc.property(fc.oneof(text, fc.constant(HOSTILE)), (any) => JSON.parse(visibleJson({ any })).any === any));
    expect(visibleJson({ ids: Int32Array.of(1, 2), logprobs: Float32Array.of(-0.5) })).toBe(
      '{"ids":[1,2],"logprobs":[-0.5]}',
    );
  });
});
