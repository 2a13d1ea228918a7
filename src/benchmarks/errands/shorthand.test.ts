import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensible } from './fixtures.ts';
import { interpret } from './interpret.ts';
import { readCalls, writeCalls } from './shorthand.ts';
import { WORLDS } from './world.ts';

describe('the shorthand', () => {
  it('gives back the calls of every plan', () => {
    fc.assert(
      fc.property(sensible, fc.constantFrom(...WORLDS), (request, world) => {
        const plan = interpret(request, world);
        if ('problem' in plan) throw new Error(plan.problem);
        expect(readCalls(writeCalls(plan.calls))).toEqual(plan.calls);
      }),
      { numRuns: 2000 },
    );
  });

  it('is short', () => {
    const calls = [
      { name: 'light', args: { level: 'dim', room: 'hall' } },
      { name: 'book', args: { place: 'Luna', people: 4 } },
      { name: 'check', args: {} },
    ];
    expect(writeCalls(calls)).toBe('dim hall ; book Luna four ; check');
    expect(readCalls(' dim  hall; book Luna four ;check')).toEqual(calls);
  });

  it('reads wrong calls as calls, so that they can be judged', () => {
    expect(readCalls('text report Ana')).toEqual([{ name: 'text', args: { to: 'report', item: 'Ana' } }]);
  });

  it.each([
    '',
    ';',
    'hello',
    'text',
    'text Ana',
    'text Ana report now',
    'dim',
    'check door',
    'toString',
    'cook soup ; ',
    '[{"name":"check"}]',
  ])('is not %j', (text) => expect(readCalls(text)).toBeUndefined());

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readCalls(text)));
  });
});
