import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensible, writable } from './fixtures.ts';
import { interpret, MAX_CALLS, senseless } from './interpret.ts';
import { read } from './read.ts';
import { writeCalls } from './shorthand.ts';
import { WORLDS, type World } from './world.ts';

const OPEN: World = { found: 'Luna', door: 'open' };
const SHUT: World = { found: 'Nova', door: 'shut' };

function requestOf(text: string) {
  const request = read(text);
  if ('problem' in request) throw new Error(request.problem);
  return request;
}

function callsOf(text: string, world: World): string {
  const plan = interpret(requestOf(text), world);
  return 'problem' in plan ? plan.problem : writeCalls(plan.calls);
}

describe('what a request asks for', () => {
  it.each([
    ['text Ana the report', 'text Ana report'],
    ['buy five eggs', 'buy five eggs'],
    ['cook soup, then water the roses', 'cook soup ; water roses'],
    ['cook soup, then water the roses, but first feed the cat', 'feed cat ; cook soup ; water roses'],
    ['cook soup, then water the roses, but before that feed the cat', 'cook soup ; feed cat ; water roses'],
    ['cook soup, but before that feed the cat, then wash the coat', 'feed cat ; cook soup ; wash coat'],
    ['cook soup, but first wash the coat, but before that feed the cat', 'feed cat ; wash coat ; cook soup'],
    [
      'cook soup twice, then feed the cat, all of it twice',
      'cook soup ; cook soup ; feed cat ; cook soup ; cook soup ; feed cat',
    ],
    ['text each of Ana and Ben the map twice', 'text Ana map ; text Ben map ; text Ana map ; text Ben map'],
    [
      'text each of Ana and Ben the map, then remind them on Monday',
      'text Ana map ; text Ben map ; remind Ana Monday ; remind Ben Monday',
    ],
    ['dim the hall, then play jazz there, then brighten the light there', 'dim hall ; play jazz hall ; brighten hall'],
    ['buy two eggs, then book Lima for as many', 'buy two eggs ; book Lima two'],
    ['book Lima for two, no, make it five', 'book Lima five'],
    ['book Lima for two, no, make it Oslo, then buy as many eggs', 'book Oslo two ; buy two eggs'],
    [
      'text each of Ana and Ben the map, no, make it Eva, then remind them on Friday',
      'text Eva map ; remind Eva Friday',
    ],
    ['it rains. if it rains cook soup, otherwise cook rice', 'cook soup'],
    ['it is dry. if it rains cook soup, otherwise cook rice', 'cook rice'],
    ['the door is shut. if the door is shut feed the dog', 'feed dog'],
    [
      'find a hotel in Lima, then book it for two',
      'find hotel Lima ; book Luna two',
      'find hotel Lima ; book Nova two',
    ],
    [
      'check the door, then if the door is open cook rice, otherwise feed the cat',
      'check ; cook rice',
      'check ; feed cat',
    ],
    // What was named counts as named whether or not it came to pass.
    [
      'it rains. if it is dry text Ana the map, otherwise text Ben the map, then remind them on Monday',
      'text Ben map ; remind Ben Monday',
    ],
  ])('%s', (text, whenOpen, whenShut = whenOpen) => {
    expect(callsOf(text, OPEN)).toBe(whenOpen);
    expect(callsOf(text, SHUT)).toBe(whenShut);
  });

  it('is something, and not too much of it, in every world', () => {
    fc.assert(
      fc.property(sensible, (request) => {
        for (const world of WORLDS) {
          const plan = interpret(request, world);
          if ('problem' in plan) throw new Error(plan.problem);
          expect(plan.calls.length).toBeGreaterThan(0);
          expect(plan.calls.length).toBeLessThanOrEqual(MAX_CALLS);
        }
      }),
    );
  });

  it('never throws, whatever is written, and makes sense in all worlds or has a problem', () => {
    fc.assert(
      fc.property(writable, (request) => {
        const problems = WORLDS.map((world) => interpret(request, world)).filter((plan) => 'problem' in plan);
        expect(senseless(request) === undefined).toBe(problems.length === 0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('requests that make no sense', () => {
  it.each([
    ['it rains. it is dry. cook soup', '"it is dry" is said after the same or its opposite'],
    ['it rains. it rains. cook soup', 'after the same'],
    ['the door is open. check the door, then cook soup', 'the door is checked, but "the door is open" is said already'],
    ['if it rains cook soup', 'nobody says whether it rains'],
    ['if the door is open cook soup', 'what "check" says is needed before it is asked'],
    ['remind them on Monday', 'no person was named before'],
    ['cook soup, then play jazz there', 'no room was named before'],
    ['remind them on Monday, then text Ana the map', 'no person was named before'],
    ['buy as many eggs', 'no number was named before'],
    ['book it for two', '"it" before anything is found'],
    ['book it for two, then find a hotel in Lima', '"it" before anything is found'],
    ['it rains. if it is dry find a hotel in Lima, then book it for two', '"it" before anything is found'],
    ['find a hotel in Lima, but first book it for two', 'what "find" says is needed before it is asked'],
    ['check the door, but first if the door is open cook soup', 'what "check" says is needed before it is asked'],
    ['find a hotel in Lima, then cook soup, all of it twice', '"all of it twice" with something to find out first'],
    ['check the door, all of it twice', '"all of it twice" with something to find out first'],
    ['check the door twice', '"check" more than once'],
    ['find a hotel in Lima three times', '"find" more than once'],
    ['cook soup, no, make it Oslo', '"make it Oslo" fits nothing in "cook"'],
    ['it rains. if it is dry cook soup', 'nothing is left to do'],
    ['text each of Ana, Ben and Cleo the map three times, all of it twice', '18 calls, more than 16'],
    [
      'check the door, then if the door is open find a hotel in Lima, then book it for two',
      '"it" before anything is found',
    ],
    [
      'check the door, then if the door is shut find a hotel in Lima, then book it for two',
      '"it" before anything is found',
    ],
  ])('%s', (text, problem) => {
    expect(senseless(requestOf(text))).toContain(problem);
  });
});
