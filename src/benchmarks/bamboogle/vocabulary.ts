/** Numbers for terms, by the signs of the text they stand in: a corpus has millions of terms, and no string is made of any. */

export interface Vocabulary {
  readonly size: number;
  /** The number of the term text[start … end), which is new or known. */
  add(text: string, start: number, end: number): number;
  /** The number of a known term. */
  get(term: string): number | undefined;
}

export function vocabulary(): Vocabulary {
  /** Open addressing: number + 1 of the term at each place, 0 for none. At most half of the places are taken. */
  let places = new Int32Array(1 << 12);
  let hashes = new Int32Array(1 << 11);
  /** The signs of term n are signs[ends[n - 1] … ends[n]). */
  let signs = new Uint16Array(1 << 14);
  let ends = new Uint32Array(1 << 11);
  let size = 0;

  /** Where the term is, or the empty place where it belongs. */
  function find(text: string, start: number, end: number, hash: number): number {
    const mask = places.length - 1;
    let at = spread(hash) & mask;
    for (; places[at] !== 0; at = (at + 1) & mask) {
      const term = places[at]! - 1;
      if (hashes[term] === hash && isTerm(term, text, start, end)) break;
    }
    return at;
  }

  function isTerm(term: number, text: string, start: number, end: number): boolean {
    const first = term === 0 ? 0 : ends[term - 1]!;
    if (ends[term]! - first !== end - start) return false;
    for (let i = start; i < end; i++) if (signs[first + i - start] !== text.charCodeAt(i)) return false;
    return true;
  }

  function insert(text: string, start: number, end: number, hash: number, at: number): number {
    const first = size === 0 ? 0 : ends[size - 1]!;
    const last = first + end - start;
    while (last > signs.length) signs = grown(signs, new Uint16Array(2 * signs.length));
    if (size === ends.length) {
      ends = grown(ends, new Uint32Array(2 * size));
      hashes = grown(hashes, new Int32Array(2 * size));
    }
    for (let i = start; i < end; i++) signs[first + i - start] = text.charCodeAt(i);
    ends[size] = last;
    hashes[size] = hash;
    places[at] = ++size;
    if (2 * size > places.length) rehash();
    return size - 1;
  }

  function rehash(): void {
    places = new Int32Array(2 * places.length);
    const mask = places.length - 1;
    for (let term = 0; term < size; term++) {
      let at = spread(hashes[term]!) & mask;
      while (places[at] !== 0) at = (at + 1) & mask;
      places[at] = term + 1;
    }
  }

  return {
    get size() {
      return size;
    },
    add(text, start, end) {
      const hash = hashOf(text, start, end);
      const at = find(text, start, end, hash);
      return places[at] === 0 ? insert(text, start, end, hash, at) : places[at]! - 1;
    },
    get(term) {
      const at = find(term, 0, term.length, hashOf(term, 0, term.length));
      return places[at] === 0 ? undefined : places[at]! - 1;
    },
  };
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** Its low bits alone are no good as places. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

/** The same values with room for more. */
export function grown<T extends Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
