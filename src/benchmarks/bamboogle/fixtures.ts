/** For property tests: any text at all, with controls and halves of pairs. */
import fc from 'fast-check';

export const anyText = (maxLength = 12): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff })), { maxLength })
    .map((codes) => String.fromCharCode(...codes));
