import fc from 'fast-check';
import { expect, it } from 'vitest';
import { align } from './align.ts';

const same = (a: number, b: number) => a === b;

it('keeps the rest in step when one is missing', () => {
  expect(align([1, 3], [1, 2, 3], same)).toEqual([{ left: 1, right: 1 }, { right: 2 }, { left: 3, right: 3 }]);
  expect(align([1, 2], [], same)).toEqual([{ left: 1 }, { left: 2 }]);
});

it('keeps both lists whole and in order, and pairs only what is the same', () => {
  const list = fc.array(fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(list, list, (left, right) => {
      const pairs = align(left, right, same);
      expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left);
      expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(right);
      for (const pair of pairs) if ('left' in pair && 'right' in pair) expect(pair.left).toBe(pair.right);
    }),
  );
});

it('of very long lists sets them side by side', () => {
  expect(align(Array(2000).fill(1), Array(1500).fill(2), same)).toHaveLength(2000);
});
