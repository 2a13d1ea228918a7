import { Tokenizer as Library } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/types.ts';
import { byteTokenizer, TEMPLATES } from './fixtures.ts';
import { encodePieces } from './piece-memory.ts';
import { loadTokenizer } from './tokenizer.ts';

const LONG = 'hello then, hello again and all the others: hell of a lot of them, to be sure. ';

/** Treats the start of a text unlike what follows a mark, and has marks that take spaces along. */
function peculiar(): JsonObject {
  const json = byteTokenizer('headers');
  const [first, second, ...rest] = json.added_tokens as JsonObject[];
  return {
    ...json,
    pre_tokenizer: { type: 'Metaspace', replacement: 'Ġ', prepend_scheme: 'first' },
    added_tokens: [{ ...first!, lstrip: true }, { ...second!, rstrip: true }, ...rest],
  };
}

const tokenizers = {
  ...Object.fromEntries(TEMPLATES.map((name) => [name, byteTokenizer(name)])),
  peculiar: peculiar(),
};

describe('encoding by pieces', () => {
  for (const [name, json] of Object.entries(tokenizers)) {
    it(`gives the ids of the whole text: ${name}`, () => {
      const { encodeMarked } = loadTokenizer(json);
      const library = new Library(json, {});
      const marks = (json.added_tokens as { content: string }[]).map(({ content }) => content);
      const words = ['hello', ' ', '  ', '\n\n', 'an " : t', '<', '|', '[', 'é', LONG];
      const text = fc.array(fc.constantFrom(...marks, ...words), { maxLength: 12 }).map((parts) => parts.join(''));
      fc.assert(
        fc.property(text, (written) => {
          const { ids } = library.encode(written, { add_special_tokens: false });
          expect(encodeMarked(written)).toEqual(ids);
        }),
      );
    });
  }

  it('takes marks of any signs', () => {
    const marks = ['<|a-b|>', '[x]/{y}', '^$.*+?()\\', '¡ünïcode!', '🙂'];
    const encode = encodePieces(
      (text) => [text.length],
      marks.map((content) => ({ content, cuts: true })),
    );
    const pieces = marks.map((mark) => mark + LONG);
    expect(encode(pieces.join(''))).toEqual(pieces.map(({ length }) => length));
  });

  it('asks for a long piece once, however often it comes, and forgets the longest unused', () => {
    const asked: string[] = [];
    const encode = encodePieces(
      (text) => {
        asked.push(text);
        return Array.from(text, (char) => char.charCodeAt(0));
      },
      [{ content: '<a>', cuts: true }],
      5 * LONG.length,
    );
    expect(String.fromCharCode(...encode(`<a>${LONG}<a>one`))).toBe(`<a>${LONG}<a>one`);
    encode(`<a>${LONG}<a>two`);
    expect(asked).toEqual([`<a>${LONG}`, '<a>one', '<a>two']);
    encode(`<a>${LONG.toUpperCase()}<a>${LONG.replaceAll('e', 'a')}`);
    asked.length = 0;
    encode(`<a>${LONG}`);
    expect(asked).toHaveLength(1);
  });
});
