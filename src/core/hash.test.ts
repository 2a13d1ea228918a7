import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hash, hashText, hex } from './hash.ts';

describe('hashText', () => {
  it('keeps 200,000 short strings apart, trailing NULs and padding included', () => {
    const texts = new Set<string>();
    for (let i = 0; texts.size < 140_000; i++) texts.add(i.toString(36));
    for (let i = 0; i < 2000; i++) {
      // One text, thirty endings: the ends of blocks of eight units are where padding could be mistaken for content.
      for (let pad = 0; pad < 15; pad++)
        for (const unit of ['\0', ' ']) texts.add(`${i.toString(3)}${unit.repeat(pad)}`);
    }
    for (let n = 0; n < 3000; n++) texts.add('\0'.repeat(n)).add('a'.repeat(n));
    expect(texts.size).toBeGreaterThan(200_000);
    const hashes = [...texts].map((text) => hashText(text));
    expect(new Set(hashes.map(hex)).size).toBe(texts.size);
    // Even a quarter of the hash collides no more than chance does: about n²/2³³ = 4.7 pairs.
    for (let lane = 0; lane < 4; lane++) {
      expect(texts.size - new Set(hashes.map((hash) => hash[lane])).size).toBeLessThan(25);
    }
  });

  it('is a function of text and seed, and of both', () => {
    const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
    const seed = fc.tuple(fc.integer(), fc.integer(), fc.integer(), fc.integer()) as fc.Arbitrary<Hash>;
    fc.assert(
      fc.property(units, seed, seed, (text, a, b) => {
        expect(hashText(text, a)).toEqual(hashText(text, [...a]));
        if (hex(a) !== hex(b)) expect(hex(hashText(text, a))).not.toBe(hex(hashText(text, b)));
      }),
    );
  });

  it('flips about half of all bits when one bit of the text flips', () => {
    const flips: number[] = [];
    const bits = (word: number) => word.toString(2).replaceAll('0', '').length;
    for (let i = 0; i < 500; i++) {
      const text = `task ${i} of many`;
      const at = i % text.length;
      const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (i % 16))) + text.slice(at + 1);
      const [a, b] = [hashText(text), hashText(other)];
      flips.push(a.reduce((sum, word, lane) => sum + bits((word ^ b[lane]!) >>> 0), 0));
    }
    expect(flips.reduce((x, y) => x + y, 0) / flips.length).toBeCloseTo(64, -0.5);
    expect(Math.min(...flips)).toBeGreaterThan(30);
  });

  it('is written as 32 hexadecimal digits', () => {
    expect(hex([0, 1, -1, 0x7fffffff])).toBe('0000000000000001ffffffff7fffffff');
    fc.assert(fc.property(fc.string(), (text) => /^[0-9a-f]{32}$/.test(hex(hashText(text)))));
  });

  it('never changes: ids and random streams of old runs depend on it', () => {
    const got = [hashText(''), hashText('genenv'), hashText('genenv', [1, 2, 3, 4])].map(hex);
    expect(got).toEqual([
      '00000000000000000000000000000000',
      'a76271e25109216d57652bfb6d49e2e1',
      '27801af0abcbcd02ccc866129c52b794',
    ]);
  });
});
