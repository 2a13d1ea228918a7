/**
 * Okapi BM25 over passages in memory. Postings are flat arrays, and what a term adds to a passage's score is worked out when
 * the index is built, so that a query only adds numbers up.
 */
import type { Search } from './search.ts';
import { eachTerm, termsOf } from './terms.ts';
import { grown, type Vocabulary, vocabulary } from './vocabulary.ts';

export interface Passage {
  title: string;
  text: string;
}

export interface Hit {
  /** The place of the passage among those indexed. */
  index: number;
  score: number;
}

export interface Bm25 {
  readonly terms: number;
  /** The k best passages that share a term with the query, the best first; of equals, the one indexed first. */
  search(query: string, k: number): Hit[];
}

/** How soon a term that is repeated stops counting. */
const K1 = 1.2;
/** How much a long passage is held against it. */
const B = 0.75;
/** No question needs more words. */
const MAX_QUERY_TERMS = 256;

export function bm25(passages: readonly Passage[]): Bm25 {
  const { terms, postings, starts, counts, lengths } = invert(passages);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const impacts = new Float32Array(counts.length);
  for (let term = 0; term < terms.size; term++) {
    const [from, to] = [starts[term]!, starts[term + 1]!];
    const rarity = Math.log(1 + (passages.length - (to - from) + 0.5) / (to - from + 0.5));
    for (let i = from; i < to; i++) {
      const count = counts[i]!;
      const length = lengths[postings[i]!]! / meanLength;
      impacts[i] = (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    }
  }
  const scores = new Float64Array(passages.length);
  const touched = new Uint32Array(passages.length);
  return {
    terms: terms.size,
    search(query, k) {
      let found = 0;
      for (const word of new Set(termsOf(query).slice(0, MAX_QUERY_TERMS))) {
        const term = terms.get(word);
        if (term === undefined) continue;
        const end = starts[term + 1]!;
        for (let i = starts[term]!; i < end; i++) {
          const passage = postings[i]!;
          const score = scores[passage]!;
          // Every impact is above zero: a score of zero is a passage not met yet.
          if (score === 0) touched[found++] = passage;
          scores[passage] = score + impacts[i]!;
        }
      }
      const best = topK(touched.subarray(0, found), scores, k);
      for (let i = 0; i < found; i++) scores[touched[i]!] = 0;
      return best;
    },
  };
}

/** A search over the passages themselves. */
export function bm25Search(passages: readonly Passage[]): Search {
  const index = bm25(passages);
  return async (query, k) =>
    index.search(query, k).map(({ index: at }) => ({ title: passages[at]!.title, snippet: passages[at]!.text }));
}

interface Inverted {
  terms: Vocabulary;
  /** The postings of term t are starts[t] … starts[t + 1]: a passage and how often the term is in it. */
  starts: Uint32Array;
  postings: Uint32Array;
  counts: Uint16Array;
  /** Terms in each passage. */
  lengths: Uint32Array;
}

function invert(passages: readonly Passage[]): Inverted {
  const terms = vocabulary();
  const lengths = new Uint32Array(passages.length);
  // Passage by passage: its distinct terms and their counts. Then the same, turned round, term by term.
  const ends = new Uint32Array(passages.length);
  let termOf = new Uint32Array(1024);
  let countOf = new Uint16Array(1024);
  let size = 0;
  let first = 0;
  let length = 0;
  /** Where each term was last counted, and in how many passages it is. */
  let places = new Uint32Array(1024);
  let spread = new Uint32Array(1024);
  const count = (text: string, start: number, end: number) => {
    length++;
    const term = terms.add(text, start, end);
    if (term >= places.length) {
      places = grown(places, new Uint32Array(2 * places.length));
      spread = grown(spread, new Uint32Array(2 * spread.length));
    }
    const place = places[term]!;
    if (spread[term]! > 0 && place >= first) {
      if (countOf[place]! < 0xffff) countOf[place]!++;
      return;
    }
    if (size === termOf.length) {
      termOf = grown(termOf, new Uint32Array(2 * size));
      countOf = grown(countOf, new Uint16Array(2 * size));
    }
    places[term] = size;
    spread[term]!++;
    termOf[size] = term;
    countOf[size++] = 1;
  };
  for (let p = 0; p < passages.length; p++) {
    first = size;
    length = 0;
    eachTerm(passages[p]!.title, count);
    eachTerm(passages[p]!.text, count);
    lengths[p] = length;
    ends[p] = size;
  }
  const starts = new Uint32Array(terms.size + 1);
  for (let t = 0; t < terms.size; t++) starts[t + 1] = starts[t]! + spread[t]!;
  const next = starts.slice();
  const postings = new Uint32Array(size);
  const counts = new Uint16Array(size);
  for (let p = 0, i = 0; p < passages.length; p++) {
    for (; i < ends[p]!; i++) {
      const at = next[termOf[i]!]!++;
      postings[at] = p;
      counts[at] = countOf[i]!;
    }
  }
  return { terms, starts, postings, counts, lengths };
}

/** A heap of the k best so far, the worst of them on top. */
function topK(candidates: Uint32Array, scores: Float64Array, k: number): Hit[] {
  const heap: number[] = [];
  const isWorse = (a: number, b: number) => scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b);
  for (let i = 0; i < candidates.length; i++) {
    const passage = candidates[i]!;
    if (heap.length < k) {
      heap.push(passage);
      rise(heap, isWorse);
    } else if (k > 0 && scores[passage]! >= scores[heap[0]!]! && isWorse(heap[0]!, passage)) {
      heap[0] = passage;
      sink(heap, isWorse);
    }
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1)).map((index) => ({ index, score: scores[index]! }));
}

function rise(heap: number[], isWorse: (a: number, b: number) => boolean): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap[at]!, heap[parent]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], isWorse: (a: number, b: number) => boolean): void {
  for (let at = 0; ; ) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isWorse(heap[child]!, heap[worst]!)) worst = child;
    }
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b]!, heap[a]!];
}
