import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LEVELS, pythonJson } from './python-json.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('JSON as Python reads it', () => {
  it('is what JSON.parse reads, where that reads anything', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\t', '\r'), (text, space) => {
        expect(pythonJson(space + text + space)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is nothing where JSON.parse reads nothing either, but for the names of numbers', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '\\',
      '\\u00e9',
      '1',
      '-',
      '.',
      'e5',
      ' ',
      'true',
      '0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        expect(pythonJson(text)).toEqual(parsed);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['1e999', Number.POSITIVE_INFINITY],
    ['[NaN, null]', [Number.NaN, null]],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['"\\ud83d\\ude00\\/"', '😀/'],
    ['"\x7f"', '\x7f'],
  ])('has %s', (text, value) => {
    expect(pythonJson(text)).toEqual(value);
  });

  it.each([
    '-NaN',
    'nan',
    '+1',
    '01',
    '1.',
    '.5',
    '1e',
    "'a'",
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '"\\x"',
    '"\\u00g0"',
    '"\t"',
    '',
    ' ',
    '"',
    '\ufeff{}',
    '\v{}',
    '1 2',
    'None',
    '"a',
  ])('has no %j', (text) => {
    expect(pythonJson(text)).toBeUndefined();
  });

  it('keeps keys that name parts of objects', () => {
    const value = pythonJson('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('ends where Python does: in depth and in digits', () => {
    expect(pythonJson(nested(MAX_LEVELS))).toBeDefined();
    expect(pythonJson(nested(MAX_LEVELS + 1))).toBeUndefined();
    expect(pythonJson(nested(10_000))).toBeUndefined();
    expect(pythonJson('{"a":'.repeat(100_000))).toBeUndefined();
    expect(pythonJson('1'.repeat(4300))).toBe(Number.POSITIVE_INFINITY);
    expect(pythonJson(`-${'1'.repeat(4300)}`)).toBe(Number.NEGATIVE_INFINITY);
    expect(pythonJson('1'.repeat(4301))).toBeUndefined();
    expect(pythonJson(`0.${'1'.repeat(5000)}`)).toBeCloseTo(1 / 9);
  });
});
