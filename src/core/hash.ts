/**
 * A 128-bit hash of text (MurmurHash3's x86_128 mixing over UTF-16 units), for identity and for forking random streams.
 * Not cryptographic: it keeps honest content apart, and checksums of files are made elsewhere with SHA-256.
 */

export type Hash = [number, number, number, number];

const C = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93] as const;

export function hashText(text: string, seed: Readonly<Hash> = [0, 0, 0, 0]): Hash {
  const h: Hash = [...seed];
  for (let at = 0; at < text.length; at += 8) {
    for (let lane = 0; lane < 4; lane++) {
      const i = at + 2 * lane;
      // Beyond the end charCodeAt is NaN, which the bit operations read as 0; the length below tells such texts apart.
      let word = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
      word = Math.imul(rotate(Math.imul(word, C[lane]!), 15 + lane), C[(lane + 1) & 3]!);
      h[lane] = (Math.imul(rotate(h[lane]! ^ word, 19 - 2 * lane) + h[(lane + 1) & 3]!, 5) + 0x561ccd1b + lane) | 0;
    }
  }
  for (let lane = 0; lane < 4; lane++) h[lane]! ^= text.length;
  spread(h);
  for (let lane = 0; lane < 4; lane++) h[lane] = finish(h[lane]!);
  spread(h);
  return h;
}

export const hex = (hash: Readonly<Hash>): string =>
  hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

const rotate = (x: number, n: number) => (x << n) | (x >>> (32 - n));

/** Every lane ends up depending on every other. */
function spread(h: Hash): void {
  h[0] = (h[0] + h[1] + h[2] + h[3]) | 0;
  for (let lane = 1; lane < 4; lane++) h[lane] = (h[lane]! + h[0]) | 0;
}

function finish(x: number): number {
  let h = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
