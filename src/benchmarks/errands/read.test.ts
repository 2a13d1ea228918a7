import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensible, writable } from './fixtures.ts';
import { TOOLS, VALUES } from './lexicon.ts';
import { read } from './read.ts';
import { write } from './write.ts';

const LONG =
  'it rains. if it rains text each of Ana, Ben and Cleo the report twice, no, make it the map, otherwise cook soup, ' +
  'but before that dim the light there, all of it twice';

describe('reading', () => {
  it('gives back every request that can be written', () => {
    const any = fc.oneof(writable, sensible);
    fc.assert(
      fc.property(any, (request) => {
        expect(read(write(request))).toEqual(request);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not mind capitals, spaces, a comma before "and", and a full stop at the end', () => {
    const mangled = fc.tuple(writable, fc.infiniteStream(fc.integer({ min: 0, max: 2 })));
    fc.assert(
      fc.property(mangled, ([request, draws]) => {
        const draw = () => draws.next().value;
        const text = write(request)
          .replace(/\w+/g, (word) => [word, word.toLowerCase(), word.toUpperCase()][draw()]!)
          .replace(/ and /gi, (and) => [and, `,${and}`, ` ,${and}`][draw()]!)
          .replace(/ /g, () => [' ', '  ', '\n'][draw()]!)
          .replace(/[,.]/g, (sign) => [sign, ` ${sign}`, `${sign} `][draw()]!);
        expect(read(`${[' ', '\t', ''][draw()]}${text}${['', '.', ' .'][draw()]}`)).toEqual(request);
      }),
    );
    const heard = read('text ana the report .');
    expect('problem' in heard || write(heard)).toBe('text Ana the report');
  });

  it('never throws, and says at which word it stopped', () => {
    const place = {
      problem: expect.stringMatching(
        /^word \d+: expected .+ (after ".+"|at the beginning), (not ".+"|but there it ends)$/s,
      ),
    };
    const words = fc.constantFrom(
      ...LONG.split(/ |(?=[,.])/),
      ...Object.keys(TOOLS),
      ...Object.values(VALUES).flat(),
      '{',
      '…',
    );
    for (const text of [fc.string(), fc.string({ unit: 'binary' }), fc.array(words).map((some) => some.join(' '))]) {
      fc.assert(
        fc.property(text, (any) => {
          const request = read(any);
          if ('problem' in request) expect(request).toEqual(place);
          else expect(read(write(request))).toEqual(request);
        }),
        { numRuns: 1000 },
      );
    }
  });

  it('refuses a request that one word was dropped from, doubled in or put into, or reads another one', () => {
    const words = LONG.split(/ |(?=[,.])/);
    for (const i of words.keys()) {
      const others = [words.toSpliced(i, 1), words.toSpliced(i, 0, words[i]!), words.toSpliced(i, 0, 'nicely')];
      for (const other of others) {
        const request = read(other.join(' '));
        if (!('problem' in request)) expect(write(request)).not.toBe(LONG);
      }
      expect(read(others[2]!.join(' '))).toHaveProperty('problem');
    }
  });

  it.each([
    [
      '',
      'word 1: expected one of text, remind, book, buy, play, cook, water, wash, feed, find, check, dim, brighten at the beginning, but there it ends',
    ],
    ['hello', 'word 1: expected one of text, remind,'],
    ['light the hall', 'not "light"'],
    ['constructor Ana', 'not "constructor"'],
    ['text Ana', 'word 3: expected "the" after "text Ana", but there it ends'],
    ['text Ann the report', 'word 2: expected one of Ana, Ben, Cleo, Dan, Eva, Finn after "text", not "ann"'],
    ['text Ana the report and cook soup', 'word 5: expected the end after "Ana the report", not "and"'],
    ['text Ana the report then cook soup', 'expected the end'],
    ['text Ana the report, then', 'but there it ends'],
    ['book Lima for seven', 'expected one of two, three, four, five, six after "book Lima for", not "seven"'],
    ['book Lima', 'expected "for"'],
    ['buy 3 eggs', 'expected one of two, three, four, five, six'],
    ['feed the cat and the dog', 'expected the end'],
    ['feed each of the cat', 'expected "and"'],
    ['feed each of the cat and the cat', 'word 8: expected another one after "cat and the", not "cat"'],
    ['text each of Ana, Ben, Cleo, Dan and Eva the map', 'word 9: expected at most four'],
    ['cook each of soup and rice', 'expected one of soup, rice, stew, pasta'],
    ['cook soup five times', 'expected the end'],
    ['if it snows cook soup', 'word 2: expected one of it rains, it is dry, the door is open, the door is shut'],
    ['it rains, cook soup', 'expected "."'],
    ['it rains.', 'but there it ends'],
    ['cook soup, otherwise cook rice', 'expected the end'],
    ['cook soup, no, make it brighten', 'expected a value to make it'],
    ['cook soup, no, make it soap', 'expected a value to make it'],
    ['wash the coat, no, make it shirt', 'expected "the shirt"'],
    ['cook soup, no, make it the rice', 'expected something that takes an article'],
    ['check a door', 'expected "the door"'],
    ['cook soup, all of it three times', 'expected the end'],
    [Array.from({ length: 7 }, () => 'cook soup').join(', then '), 'expected at most 6 clauses'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
