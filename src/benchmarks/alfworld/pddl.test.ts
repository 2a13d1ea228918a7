import { describe, expect, it } from 'vitest';
import { PROBLEM } from './fixtures.ts';
import type { Goal } from './goal.ts';
import { parseExpressions, readProblem } from './pddl.ts';

describe('a PDDL problem', () => {
  it('becomes a world: names count down in the order of ids, basins are called so, places are indexes', () => {
    expect(readProblem(PROBLEM)).toEqual({
      goal: { kind: 'clean', object: 'mug', receptacle: 'shelf' },
      receptacles: [
        ['shelf 2', 'shelf', 1, 1],
        ['shelf 1', 'shelf', 2, 0],
        ['sinkbasin 1', 'sinkbasin', 3, 0],
      ],
      objects: [
        ['mug 2', 'mug', 1, [0, 1], 'pcrC'],
        ['mug 1', 'mug', 2, [1], 'pc'],
        ['pen 1', 'pen', 1, [0], 'p'],
        ['pencil 1', 'pencil', -1, [], ''],
        ['sink 1', 'sink', 3, [], ''],
      ],
      inside: [[2, 0]],
      start: 0,
      can: { shelf: ['mug', 'pencil', 'pen'], sinkbasin: ['mug'] },
    });
  });

  const within = (goal: string) => PROBLEM.slice(0, PROBLEM.indexOf('(:goal')).concat(`(:goal (and ${goal})))`);

  it.each<[string, Goal]>([
    [
      '(exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o PenType) (receptacleType ?r ShelfType))))',
      { kind: 'place', object: 'pen', receptacle: 'shelf' },
    ],
    [
      '(exists (?r - receptacle) (exists (?o - object) (and (heatable ?o) (objectType ?o MugType) (receptacleType ?r ShelfType) (isHot ?o))))',
      { kind: 'heat', object: 'mug', receptacle: 'shelf' },
    ],
    [
      '(exists (?r - receptacle) (exists (?o - object) (and (coolable ?o) (objectType ?o MugType) (receptacleType ?r ShelfType) (isCool ?o))))',
      { kind: 'cool', object: 'mug', receptacle: 'shelf' },
    ],
    [
      '(exists (?r - receptacle) (exists (?o1 - object) (and (objectType ?o1 PenType) (receptacleType ?r ShelfType) (exists (?o2 - object) (and (not (= ?o1 ?o2)) (objectType ?o2 PenType))))))',
      { kind: 'two', object: 'pen', receptacle: 'shelf' },
    ],
    [
      '(exists (?ot - object ?r - receptacle) (and (objectType ?ot DeskLampType) (isToggled ?ot))) (exists (?o - object ?a - agent) (and (objectType ?o PenType) (holds ?a ?o)))',
      { kind: 'look', object: 'pen', lamp: 'desklamp' },
    ],
  ])('asks with %s for what it says', (text, goal) => {
    expect(readProblem(within(text)).goal).toEqual(goal);
  });

  it('is refused where it has no facts, no goal of a known kind, or no agent', () => {
    expect(() => readProblem('(define (problem p))')).toThrow('the problem has no :init');
    expect(() => readProblem(within('(holds a b)'))).toThrow('the goal is of no known kind');
    expect(() => readProblem('(define (:init) (:goal (and)))')).toThrow('the agent is nowhere');
    expect(() => readProblem('())')).toThrow('a bracket is closed that was not opened');
  });

  it('is read at any depth, comments left out', () => {
    const deep = '('.repeat(1e5);
    expect(() => parseExpressions(deep + ')'.repeat(1e5))).not.toThrow();
    expect(parseExpressions('(a ; no (b)\n c)')).toEqual([['a', 'c']]);
    expect(() => readProblem(`(x (:init) (:goal ${deep}${')'.repeat(1e5)}))`)).toThrow(SyntaxError);
  });
});
