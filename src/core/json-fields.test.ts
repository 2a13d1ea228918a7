import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from './content-id.ts';
import { compareFields } from './json-fields.ts';
import type { Json } from './types.ts';

describe('fields of two values', () => {
  it('are right, wrong, missing or too much', () => {
    const answered = { name: 'Ann', age: 3, tags: ['a', 'x'], extra: null };
    const asked = { name: 'Ann', age: 4, tags: ['a', 'b', 'c'] };
    expect(compareFields(answered, asked)).toEqual([
      { path: 'name', answered: 'Ann', asked: 'Ann', same: true },
      { path: 'age', answered: 3, asked: 4, same: false },
      { path: 'tags[0]', answered: 'a', asked: 'a', same: true },
      { path: 'tags[1]', answered: 'x', asked: 'b', same: false },
      { path: 'tags[2]', asked: 'c', same: false },
      { path: 'extra', answered: null, same: false },
    ]);
  });

  it('of values of another kind are the values themselves', () => {
    expect(compareFields('no', { a: 1 })).toEqual([{ path: '', answered: 'no', asked: { a: 1 }, same: false }]);
    expect(compareFields([], [])).toEqual([{ path: '', answered: [], asked: [], same: true }]);
  });

  it('are listed up to a limit, and the rest is summed up', () => {
    const list = Array.from({ length: 1000 }, (_, i) => i);
    const fields = compareFields(list, [...list.slice(0, -1), -1]);
    expect(fields).toHaveLength(201);
    expect(fields.at(-1)).toEqual({ path: '800 more', same: false });
  });

  it('are all the same exactly where the values are', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(compareFields(a, b).every(({ same }) => same)).toBe(sameJson(a, b));
        expect(compareFields(a, structuredClone(a)).every(({ same }) => same)).toBe(true);
      }),
    );
  });
});
