import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bm25, bm25Search, type Passage } from './bm25.ts';
import { anyText } from './fixtures.ts';
import { termsOf } from './terms.ts';

const of = (...texts: string[]): Passage[] => texts.map((text, i) => ({ title: `t${i}`, text }));
const found = (passages: Passage[], query: string, k = 5) =>
  bm25(passages)
    .search(query, k)
    .map(({ index }) => index);

describe('BM25', () => {
  it('ranks by what passages share with the query, rare terms above common ones', () => {
    const passages = of('the cat sat', 'the dog sat', 'the dog and the zebra sat', 'nothing here');
    expect(found(passages, 'zebra')).toEqual([2]);
    expect(found(passages, 'dog zebra')[0]).toBe(2);
    expect(found(passages, 'cat sat')[0]).toBe(0);
    expect(found(passages, 'unheard of')).toEqual([]);
    expect(found(passages, '')).toEqual([]);
  });

  it('prefers the shorter of two, and the one that says it more often', () => {
    expect(found(of('cat and many other words that dilute it', 'cat alone'), 'cat')).toEqual([1, 0]);
    expect(found(of('cat dog bird', 'cat cat dog'), 'cat')).toEqual([1, 0]);
  });

  it('gives equals in the order of the passages, and no more than asked for', () => {
    const passages = of(...Array<string>(50).fill('same words'));
    expect(found(passages, 'words', 4)).toEqual([0, 1, 2, 3]);
    expect(found(passages, 'words', 0)).toEqual([]);
    expect(found(passages, 'words', 1000)).toHaveLength(50);
  });

  it('searches titles as well', async () => {
    const search = bm25Search([
      { title: 'Zebra', text: 'an animal' },
      { title: 'Cat', text: 'another' },
    ]);
    expect(await search('zebra', 5)).toEqual([{ title: 'Zebra', snippet: 'an animal' }]);
  });

  it('remembers nothing of the query before', () => {
    const index = bm25(of('cat', 'dog', 'cat dog'));
    const first = index.search('cat', 5);
    index.search('dog bird', 5);
    expect(index.search('cat', 5)).toEqual(first);
  });

  it('finds what a scan with the same formula finds', () => {
    const word = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'emu', 'fox');
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        text,
        fc.integer({ min: 1, max: 6 }),
        (texts, query, k) => {
          const passages = texts.map((t) => ({ title: '', text: t }));
          const hits = bm25(passages).search(query, k);
          const scanned = scan(passages, query);
          expect(hits).toHaveLength(Math.min(k, scanned.filter((score) => score > 0).length));
          const best = scanned.toSorted((a, b) => b - a);
          hits.forEach(({ index, score }, i) => {
            expect(score).toBeCloseTo(scanned[index]!, 4);
            expect(score).toBeCloseTo(best[i]!, 4);
          });
        },
      ),
    );
  });

  it('takes any corpus and any query', () => {
    expect(bm25([]).search('x', 5)).toEqual([]);
    fc.assert(
      fc.property(fc.array(anyText()), anyText(), (texts, query) => {
        expect(found(of(...texts), query).length).toBeLessThanOrEqual(5);
      }),
    );
    expect(found(of('__proto__ constructor', 'other'), 'constructor')).toEqual([0]);
    expect(found(of('x'), 'x '.repeat(1e5))).toEqual([0]);
  });

  it('numbers as many terms as there are', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
    const index = bm25(of(words.join(' '), 'word77 again'));
    // Both titles and "again" besides.
    expect(index.terms).toBe(20_003);
    expect(index.search('word19999', 5).map((hit) => hit.index)).toEqual([0]);
    expect(index.search('word77', 5).map((hit) => hit.index)).toEqual([1, 0]);
  });
});

function scan(passages: readonly Passage[], query: string): number[] {
  const docs = passages.map(({ text }) => termsOf(text));
  const mean = docs.reduce((sum, doc) => sum + doc.length, 0) / docs.length;
  return docs.map((doc) =>
    [...new Set(termsOf(query))].reduce((sum, term) => {
      const n = docs.filter((other) => other.includes(term)).length;
      const count = doc.filter((other) => other === term).length;
      const rarity = Math.log(1 + (docs.length - n + 0.5) / (n + 0.5));
      return count === 0 ? sum : sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * doc.length) / mean));
    }, 0),
  );
}

describe('terms', () => {
  it.each([
    ["Who's the King-Emperor?", ['who', 's', 'the', 'king', 'emperor']],
    ['Zoltán Kodály, 1882–1967', ['zoltan', 'kodaly', '1882', '1967']],
    ['ＦＵＬＬ ﬁne', ['full', 'fine']],
    ['東京 is Tōkyō', ['東', '京', 'is', 'tokyo']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['Ελλάδα', ['ελλαδα']],
    ['𝐀𝐁 x', ['ab', 'x']],
    [' .,;', []],
  ])('of %j are %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});
