import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { fromTo, nameCity, strip, stripParen } from './text.ts';

describe('stripParen', () => {
  it('keeps what stands before the first closed parenthesis, untrimmed', () => {
    expect(stripParen('Miami(Florida)')).toBe('Miami');
    expect(stripParen('Miami (Florida)')).toBe('Miami ');
    expect(stripParen('Miami(Florida')).toBe('Miami(Florida');
    expect(stripParen('Miami')).toBe('Miami');
  });
});

describe('fromTo', () => {
  it('reads the first pair, and B up to the next comma', () => {
    expect(fromTo('Taxi, from St. Louis to New York City, cost: 3')).toEqual({
      from: 'St. Louis',
      to: 'New York City',
    });
    expect(fromTo('from A to B to C')).toEqual({ from: 'A', to: 'B to C' });
  });

  it('finds none where a part is missing or the case differs', () => {
    expect(fromTo('from A')).toBeUndefined();
    expect(fromTo('From A to B')).toBeUndefined();
    expect(fromTo('from A to ,')).toBeUndefined();
  });
});

describe('nameCity', () => {
  it('splits at the last comma and takes the state off the city', () => {
    expect(nameCity('Huge, sunny room, Miami(Florida)')).toEqual({ name: 'Huge, sunny room', city: 'Miami' });
    expect(nameCity('Coco Bambu,  Rockford ')).toEqual({ name: 'Coco Bambu', city: 'Rockford' });
  });

  it('reads a text without a comma, or with nothing after it, as a dash', () => {
    expect(nameCity('Coco Bambu')).toEqual({ name: '-', city: '-' });
    expect(nameCity('Coco Bambu,')).toEqual({ name: '-', city: '-' });
  });
});

describe('the scanners and the expressions they stand for', () => {
  const S = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
  const pieces = [
    'from',
    'to',
    ' ',
    '  ',
    '\n',
    ',',
    ', ',
    'A',
    'B c',
    '(',
    ')',
    '\x1f',
    '\ufeff',
    'from ',
    ' to ',
    'ab',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));

  it('agree on every text', () => {
    fc.assert(
      fc.property(text, (s) => {
        const pair = new RegExp(`from${S}+([^\\n]+?)${S}+to${S}+([^,]+)(?=,|${S}|$)`).exec(s);
        expect(fromTo(s)).toEqual(pair ? { from: pair[1], to: pair[2] } : undefined);
        const paren = /^([^\n]*?)\([^)]*\)/.exec(s);
        expect(stripParen(s)).toBe(paren ? paren[1] : s);
        const place = new RegExp(`([^\\n]*?),${S}*([^,]+)(\\(\\w(?:\\w|${S})*\\))?(?:(?=\\n$)|$)`).exec(s);
        expect(nameCity(s)).toEqual(
          place ? { name: strip(place[1]!), city: strip(stripParen(strip(place[2]!))) } : { name: '-', city: '-' },
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('take time in proportion to the text, however hostile', () => {
    const spent = cpuStopwatch();
    for (const piece of ['from ', 'from a\n to b ', ' to', 'from to ', '  ', 'from x\n']) {
      const long = piece.repeat(200_000 / piece.length);
      fromTo(long);
      nameCity(long);
      stripParen(long);
    }
    expect(spent()).toBeLessThan(2000);
  });
});
