/** Byte-level byte-pair encoding learned from a corpus: the most frequent pair of neighbours becomes one token, repeatedly. */

/** How the format's ByteLevel splits text before any merge: contractions, words, numbers, signs, spaces. */
const PIECES = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

export type Merge = readonly [string, string];

export function learnMerges(corpus: Iterable<string>, count: number): { alphabet: string[]; merges: Merge[] } {
  const alphabet = byteAlphabet();
  const words = countWords(corpus, alphabet);
  const pairs = new Map<string, { count: number; words: Set<Word> }>();
  const note = (word: Word, sign: 1 | -1) => {
    for (let i = 0; i + 1 < word.parts.length; i++) {
      const key = `${word.parts[i]} ${word.parts[i + 1]}`;
      const entry = pairs.get(key) ?? { count: 0, words: new Set() };
      entry.count += sign * word.count;
      if (sign === 1) entry.words.add(word);
      pairs.set(key, entry);
    }
  };
  for (const word of words) note(word, 1);

  const merges: Merge[] = [];
  while (merges.length < count) {
    let best: string | undefined;
    let most = 1;
    // Ties go to the smaller pair in code-unit order, so that a corpus decides its merges.
    for (const [key, entry] of pairs) {
      if (entry.count > most || (entry.count === most && best !== undefined && key < best))
        [best, most] = [key, entry.count];
    }
    if (best === undefined) break;
    // A space never occurs inside a token: the byte alphabet writes it as another character.
    const [left, right] = best.split(' ') as [string, string];
    merges.push([left, right]);
    for (const word of pairs.get(best)!.words) {
      note(word, -1);
      word.parts = joined(word.parts, left, right);
      note(word, 1);
    }
    pairs.delete(best);
  }
  return { alphabet, merges };
}

interface Word {
  parts: string[];
  count: number;
}

function countWords(corpus: Iterable<string>, alphabet: readonly string[]): Word[] {
  const counts = new Map<string, number>();
  for (const text of corpus)
    for (const [piece] of text.matchAll(PIECES)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const encoder = new TextEncoder();
  return [...counts].map(([piece, count]) => ({
    parts: Array.from(encoder.encode(piece), (byte) => alphabet[byte]!),
    count,
  }));
}

function joined(parts: readonly string[], left: string, right: string): string[] {
  const out: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] === left && parts[i + 1] === right) {
      out.push(left + right);
      i++;
    } else out.push(parts[i]!);
  }
  return out;
}

/** The format's printable name of each byte: itself where printable, else a character above 255. */
function byteAlphabet(): string[] {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 255 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
}
