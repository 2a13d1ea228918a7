import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../core/rng.ts';
import { callsOf, MAX_LEVEL, parseRequest, SKILLS, type Skill, writeClause, writeRequest } from './language.ts';

const clause = fc.record({
  skill: fc.constantFrom(...SKILLS),
  level: fc.integer({ min: 1, max: MAX_LEVEL }),
  seed: fc.integer(),
});
const write = ({ skill, level, seed }: { skill: Skill; level: number; seed: number }) =>
  writeClause(skill, level, createRng(seed));

describe('the language', () => {
  it('reads back every request that it writes: skills, levels and one call per clause', () => {
    fc.assert(
      fc.property(fc.array(clause, { minLength: 1, maxLength: 4 }), (clauses) => {
        const texts = clauses.map(write);
        const request = writeRequest(texts);
        const read = parseRequest(request)!;
        expect(read.map(({ skill, level }) => ({ skill, level }))).toEqual(
          clauses.map(({ skill, level }) => ({ skill, level })),
        );
        expect(callsOf(read)).toHaveLength(clauses.length);
        expect(writeRequest(read.map(({ text }) => text))).toBe(request);
      }),
    );
  });

  it('says which calls each kind of clause asks for', () => {
    const calls = (request: string) => callsOf(parseRequest(request) ?? []);
    expect(calls('Ring the red bell 2 times.')).toEqual([{ name: 'ring', args: { bell: 'red', times: 2 } }]);
    expect(calls('Open doors B, D, A in reverse order.')).toEqual([{ name: 'open', args: { doors: ['A', 'D', 'B'] } }]);
    expect(calls('Count down from 9 in 3 steps, then ring the brass bell 1 time.')).toEqual([
      { name: 'say', args: { numbers: [9, 8, 7] } },
      { name: 'ring', args: { bell: 'brass', times: 1 } },
    ]);
  });

  it.each([
    '',
    '.',
    'Sing a song.',
    'Ring the golden bell 2 times.',
    'Ring the red bell 0 times.',
    'Ring the red bell 9 times.',
    'Ring the red bell 12 times.',
    'Ring the red bell.',
    'Open doors in reverse order.',
    'Open doors A B in reverse order.',
    'Open doors N in reverse order.',
    'Open doors A, B, C, D, E, F, G, H, J in reverse order.',
    'Count down from 100 in 3 steps.',
    'Ring the red bell 2 times, then sing.',
    'Ring the red bell 2 times. Please!',
    'Ring the red bell 2 times, then ',
  ])('does not know %j', (request) => {
    expect(parseRequest(request)).toBeUndefined();
  });

  it('makes no sense of arbitrary text, and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => parseRequest(text) === undefined));
  });
});
