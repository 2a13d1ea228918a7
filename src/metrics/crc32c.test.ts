import { expect, it } from 'vitest';
import { crc32c, maskedCrc32c } from './crc32c.ts';

it('agrees with the published check values', () => {
  // RFC 3720, B.4.
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
  expect(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => i)))).toBe(0x46dd794e);
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(0))).toBe(0);
});

it('is masked by a rotation and a constant', () => {
  expect(maskedCrc32c(Buffer.alloc(0))).toBe(0xa282ead8);
  const crc = 0xe3069283n;
  const rotated = ((crc >> 15n) | (crc << 17n)) & 0xffffffffn;
  expect(BigInt(maskedCrc32c(Buffer.from('123456789')))).toBe((rotated + 0xa282ead8n) & 0xffffffffn);
});
