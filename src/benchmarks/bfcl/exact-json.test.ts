import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../core/types.ts';
import { exactValue, readJson } from './exact-json.ts';
import { repr } from './unparse.ts';

const python = (text: string) => repr(exactValue(readJson(text)));

it('what looks the same to JSON.parse keeps its type', () => {
  expect(python('[1, 1.0, 1e2, -0.0, 1.5, 12345678901234567890]')).toBe(
    '[1, 1.0, 100.0, -0.0, 1.5, 12345678901234567890]',
  );
  expect(python('{"a": {"b": [2.0]}, "c": 2}')).toBe("{'a': {'b': [2.0]}, 'c': 2}");
});

it('of a repeated key the last value counts', () => {
  expect(python('{"a": 1.0, "a": 1}')).toBe("{'a': 1}");
  expect(python('{"a": 1, "a": 1.0}')).toBe("{'a': 1.0}");
});

it('numbers in texts that were read otherwise are ints when they are whole', () => {
  expect(repr(exactValue([1, 1.5]))).toBe('[1, 1.5]');
});

it('reads what JSON.parse reads, and as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      // A float at the front, so that the slow way is taken.
      const text = `[1.0, ${JSON.stringify(value, null, indent)}]`;
      expect(readJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it('keys that are names of a prototype are keys', () => {
  const value = readJson('{"__proto__": 1.0, "constructor": {"a": 2.0}}') as { [key: string]: Json };
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(repr(exactValue(value))).toBe("{'__proto__': 1.0, 'constructor': {'a': 2.0}}");
});

it.each(['', '{', '[1.0', '{"a": 1.0,}', '[NaN]', '01.0', "['1.0']"])('%j is an error, as for JSON.parse', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError);
});

it('depth is no danger', () => {
  const deep = readJson(`${'['.repeat(100_000)}1.0${']'.repeat(100_000)}`);
  expect(repr(exactValue([1])).length).toBe(3);
  expect(() => exactValue(deep)).not.toThrow();
});
