import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireError } from './proto-reader.ts';
import { zstdDecode, zstdStore } from './zstd.ts';

const LIMIT = 1 << 20;
const words = new TextEncoder().encode('the same words again and again, '.repeat(200));
const text = Uint8Array.from([...words, ...Array.from({ length: 256 }, (_, i) => i)]);

/** Frames written by the reference implementation. */
const frames = {
  'a declared size and a checksum':
    'KLUv/WQAGS0JAKQRdGhlIHNhbWUgd29yZHMgYWdhaW4gYW5kLCAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6foKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr/AwcLDxMXGx8jJysvMzc7P0NHS09TV1tfY2drb3N3e3+Dh4uPk5ebn6Onq6+zt7u/w8fLz9PX29/j5+vv8/f7/AgDdOFTHFCtjEGCY8A==',
  neither:
    'KLUv/QBYLQkApBF0aGUgc2FtZSB3b3JkcyBhZ2FpbiBhbmQsIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVpbXF1eX2BhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5/gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp+goaKjpKWmp6ipqqusra6vsLGys7S1tre4ubq7vL2+v8DBwsPExcbHyMnKy8zNzs/Q0dLT1NXW19jZ2tvc3d7f4OHi4+Tl5ufo6err7O3u7/Dx8vP09fb3+Pn6+/z9/v8CAN04VMcUK2M=',
};

describe('zstd', () => {
  for (const [what, frame] of Object.entries(frames)) {
    it(`reads a frame with ${what}`, () => {
      expect(zstdDecode(Buffer.from(frame, 'base64'), LIMIT)).toEqual(text);
    });
  }

  it('stores bytes in a frame that reads back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(new Uint8Array(zstdDecode(zstdStore(bytes), LIMIT))).toEqual(bytes);
      }),
    );
    const long = new Uint8Array(300_000).fill(7);
    expect(Buffer.compare(zstdDecode(zstdStore(long), LIMIT), long)).toBe(0);
  });

  it('refuses what unpacks to more than the limit, whether the frame says so or not', () => {
    expect(() => zstdDecode(Buffer.from(frames['a declared size and a checksum'], 'base64'), 6000)).toThrow(
      /more than/,
    );
    // Runs of one byte, 128 KiB each, in a frame that declares no size.
    const blocks = Array.from({ length: 64 }, (_, i) => {
      const header = (131_072 << 3) | (1 << 1) | (i === 63 ? 1 : 0);
      return [header & 255, (header >> 8) & 255, header >> 16, 0];
    });
    const bomb = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, ...blocks.flat()]);
    expect(() => zstdDecode(bomb, LIMIT)).toThrow(/more than/);
    expect(zstdDecode(bomb, 16 << 20).length).toBe(64 * 131_072);
  });

  it('of arbitrary or damaged bytes is a WireError, never another failure', () => {
    const frame = Buffer.from(frames.neither, 'base64');
    const damaged = fc.tuple(fc.nat(frame.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, flip]) => {
      const bytes = Uint8Array.from(frame);
      bytes[at]! ^= flip;
      return bytes;
    });
    const cut = fc.nat(frame.length - 1).map((length) => frame.subarray(0, length));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), damaged, cut), (bytes) => {
        try {
          zstdDecode(bytes, LIMIT);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
  });
});
