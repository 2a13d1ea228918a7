/** What can be done to an object, and what has been, as bits; records spell the first ten as letters. */
export const FLAGS = {
  pickupable: 1,
  cleanable: 2,
  heatable: 4,
  coolable: 8,
  sliceable: 16,
  toggleable: 32,
  receptacle: 64,
  cool: 128,
  hot: 256,
  clean: 512,
  sliced: 1024,
  toggled: 2048,
} as const;

/** In the order in which records write them. */
export const LETTERS = 'pchostrCHL';
const BITS: readonly number[] = [
  FLAGS.pickupable,
  FLAGS.cleanable,
  FLAGS.heatable,
  FLAGS.coolable,
  FLAGS.sliceable,
  FLAGS.toggleable,
  FLAGS.receptacle,
  FLAGS.cool,
  FLAGS.hot,
  FLAGS.clean,
];

export function flagBits(letters: string): number {
  let bits = 0;
  for (const letter of letters) bits |= BITS[LETTERS.indexOf(letter)] ?? 0;
  return bits;
}

export const flagLetters = (bits: number): string => [...LETTERS].filter((_, i) => (bits & BITS[i]!) !== 0).join('');
