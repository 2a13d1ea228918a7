import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../core/types.ts';
import { pythonLiteral } from './python.ts';

const repr = (value: Json): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${repr(item)}`)}}`;
};

describe('a Python literal', () => {
  it.each<[string, Json]>([
    [`'it''s'`, 'its'],
    [`"it's"`, "it's"],
    [`'a' "b"`, 'ab'],
    [`'''two\nlines'''`, 'two\nlines'],
    [String.raw`'\x41\u00e9\101\n\q'`, 'AéA\n\\q'],
    [String.raw`'\U0001F600'`, '😀'],
    [String.raw`r'\n'`, '\\n'],
    [`u'x'`, 'x'],
    ['5', 5],
    ['-5', -5],
    ['+1.5e3', 1500],
    ['1_000', 1000],
    ['0x1F', 31],
    ['.5', 0.5],
    ['1e5', 100000],
    ['0o17', 15],
    ['0x_f', 15],
    ['00', 0],
    ['1_0.2_5e+0_1', 102.5],
    ['1.', 1],
    ['True', true],
    ['None', null],
    ['()', []],
    ['(1)', 1],
    ['(1,)', [1]],
    ['1, 2', [1, 2]],
    ['[1, (2, 3), ]', [1, [2, 3]]],
    [`{'a': {'b': []}, "c": None,}`, { a: { b: [] }, c: null }],
    ['[1, # one\n 2]', [1, 2]],
    ['  [1]\n', [1]],
    [`{'a': 1, 'a': 2}`, { a: 2 }],
  ])('%s is read', (text, value) => {
    expect(pythonLiteral(text)).toEqual(value);
  });

  it.each([
    '',
    'true',
    'null',
    'x',
    '1 + 2',
    '--5',
    '05',
    '1__0',
    '1_',
    '0x',
    '0b2',
    '1e',
    '.',
    '...',
    '5x',
    '1j',
    '1e999',
    '[1',
    '[1)',
    '[1 2]',
    '[,]',
    '{1: 2}',
    '{1, 2}',
    'f()',
    `'open`,
    `'two\nlines'`,
    `f'x'`,
    `b'x'`,
    `'a' b'c'`,
    String.raw`'\x4'`,
    String.raw`'\N{BULLET}'`,
    `'\0'`,
    `'\ud800'`,
    '1\n2',
    `"a": 1`,
  ])('%j is none', (text) => {
    expect(pythonLiteral(text)).toBeUndefined();
  });

  it('has no keys that reach a prototype', () => {
    const value = pythonLiteral(`{'__proto__': {'polluted': True}, 'constructor': 1}`) as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('is read at once however long or deep it is', () => {
    for (const text of [
      '['.repeat(10_000_000),
      `'${'a'.repeat(10_000_000)}`,
      '-'.repeat(10_000_000),
      '1'.repeat(10_000_000),
      'a'.repeat(10_000_000),
      'é'.repeat(5_000_000),
      '[ '.repeat(5_000_000),
      '\n'.repeat(5_000_000),
      '# '.repeat(5_000_000),
      `'${'\\'.repeat(10_000_001)}`,
      `${'\\\n'.repeat(1_000_000)}`,
    ])
      expect(pythonLiteral(text)).toBeUndefined();
    expect(pythonLiteral(`[${'1,'.repeat(1_000_000)}]`)).toHaveLength(1_000_000);
  });

  it('survives being written and read', () => {
    const noExponent = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        noExponent.map((n) => (Object.is(n, -0) ? 0 : n)),
        fc.string({ unit: 'grapheme' }),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        expect(pythonLiteral(repr(json))).toEqual(JSON.parse(JSON.stringify(json)));
      }),
    );
  });
});
