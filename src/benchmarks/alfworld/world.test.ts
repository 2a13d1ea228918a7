import { describe, expect, it } from 'vitest';
import type { Json } from '../../core/types.ts';
import { KITCHEN } from './fixtures.ts';
import { worldOf } from './world.ts';

const changed = (change: object): Json => ({ ...structuredClone(KITCHEN), ...change }) as unknown as Json;
const problemWith = (record: Json): string | undefined => {
  const world = worldOf(record);
  return 'problem' in world ? world.problem : undefined;
};

describe('the record of a world', () => {
  it('is read once and then known', () => {
    const record = changed({});
    expect(worldOf(record)).toBe(worldOf(record));
    expect(problemWith(record)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['id: expected a text', { id: 7 }],
    ['task: expected a sentence', { task: null }],
    ['goal: expected an object', { goal: 'win' }],
    ['goal: the kind is none of place, look, clean, heat, cool, two', { goal: { kind: 'constructor' } }],
    ['goal: object: expected a type of object', { goal: { kind: 'two' } }],
    ['goal: lamp: expected a type of lamp', { goal: { kind: 'look', object: 'mug' } }],
    ['goal: receptacle: expected a type of receptacle', { goal: { kind: 'heat', object: 'mug' } }],
    ['start: expected a location, a number from 0 on', { start: -1 }],
    ['receptacles: expected a list of them', { receptacles: [] }],
    ['receptacles.0: expected a list', { receptacles: ['shelf 1'] }],
    ['receptacles.0: the name is not a class and a number', { receptacles: [['shelf', 'shelf', 1, 0]] }],
    ['receptacles.0: the location is not a number from 0 on', { receptacles: [['shelf 1', 'shelf', 1e9, 0]] }],
    ['receptacles.0: openable is neither 0 nor 1', { receptacles: [['shelf 1', 'shelf', 1, true]] }],
    [
      'receptacles.1: there is another shelf 1',
      {
        receptacles: [
          ['shelf 1', 'shelf', 1, 0],
          ['shelf 1', 'shelf', 2, 0],
        ],
      },
    ],
    ['objects.0: it is in no such receptacle', { objects: [['mug 1', 'mug', 1, [7], 'p']] }],
    ['objects.0: the flags are none of pchostrCHL', { objects: [['mug 1', 'mug', 1, [0], 'px']] }],
    [
      'objects.0: the location is neither -1 nor a number from 0 on',
      { objects: [['mug 1', 'mug', Number.NaN, [0], 'p']] },
    ],
    ['inside.0: expected the indexes of two objects', { inside: [[0, 99]] }],
    ['can.shelf: expected a list of types', { can: { shelf: 'mug' } }],
    ['catalogue: expected objects and receptacles by class', { catalogue: [] }],
    [
      'catalogue: expected a type and its abilities for each class',
      { catalogue: { objects: { mug: 1 }, receptacles: {} } },
    ],
  ])('is refused with its place: %s', (problem, change) => {
    expect(problemWith(changed(change))).toBe(problem);
  });

  it.each([null, 'world', 3, []] as Json[])('is not %j', (value) => {
    expect(problemWith(value)).toBeDefined();
  });
});
