/** Counter-free random numbers: a small generator with a stream for every (seed, name), so that nothing depends on order. */

/** Mixes any words into one 32-bit state (Murmur3's finaliser over a running hash). */
export function mixSeed(...words: (number | string)[]): number {
  let hash = 0x9e3779b9;
  const absorb = (word: number) => {
    hash = Math.imul(hash ^ (word >>> 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  };
  for (const word of words) {
    if (typeof word === 'string') {
      for (let i = 0; i < word.length; i++) absorb(word.charCodeAt(i));
    } else {
      absorb(word);
      absorb(Math.floor(word / 2 ** 32));
    }
  }
  return hash >>> 0;
}

/** Uniform in [0, 1) with 32 random bits: mulberry's step over a 32-bit counter. */
export function uniformStream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal numbers, by Box and Muller. */
export function normalStream(seed: number): () => number {
  const uniform = uniformStream(seed);
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const x = spare;
      spare = null;
      return x;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
