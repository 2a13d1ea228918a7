import { describe, expect, it } from 'vitest';
import { buildTokenizer } from '../engines/local/tokenizer/build.ts';
import { tokenTexts } from './token-texts.ts';
import { loadTokenizer } from './tokenizer.ts';

const CORPUS = ['ring the bell twice, then light 2 lamps', 'ring it'];
const bytes = loadTokenizer(buildTokenizer(CORPUS, { kind: 'bytePairs', vocabulary: 300 }));
const words = loadTokenizer(buildTokenizer(CORPUS, { kind: 'words', vocabulary: 100 }));

describe('the texts of tokens', () => {
  it('are the words with the space before them, and together the text', () => {
    const ids = words.encode('ring the bell');
    expect(tokenTexts(words, ids)).toEqual(['ring', ' the', ' bell']);
    expect(tokenTexts(words, [...ids, words.special('<|end|>')!]).at(-1)).toContain('<|end|>');
  });

  it('give a character that is several tokens to the last of them', () => {
    for (const text of ['ring the béll 🔔 twice', '🔔🔔', 'läuten – 鐘']) {
      const ids = bytes.encode(text);
      const texts = tokenTexts(bytes, ids);
      expect(texts).toHaveLength(ids.length);
      expect(texts.join('')).toBe(text);
    }
    const bell = tokenTexts(bytes, bytes.encode('🔔'));
    expect(bell.at(-1)).toBe('🔔');
    expect(bell.slice(0, -1).join('')).toBe('');
  });

  it('are empty for ids that the tokenizer does not know, and the others go on', () => {
    const ids = words.encode('ring the bell');
    expect(tokenTexts(words, [ids[0]!, 999_999, -1, 0.5, ids[2]!])).toEqual(['ring', '', '', '', 'bell']);
    expect(tokenTexts(words, [])).toEqual([]);
  });

  it('end with half a character as it is', () => {
    const ids = bytes.encode('🔔');
    expect(tokenTexts(bytes, ids.slice(0, -1)).join('')).toBe('');
    expect(tokenTexts(bytes, Array(6).fill(ids[0]!)).join('')).not.toBe('');
  });
});
