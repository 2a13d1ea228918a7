import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KITCHEN, kitchenWith } from './fixtures.ts';
import { type Goal, isReached } from './goal.ts';
import { distance, shortestPlan } from './plan.ts';
import { admissible, step } from './play.ts';
import { copyState, initialState, type State } from './state.ts';
import { soundWorld, type World, type WorldRecord } from './world.ts';

/** Breadth first over everything there is to do: what the search is measured against. */
function exhaustive(world: World, from: State): number | undefined {
  const key = ({ at, held, open, flags, inside }: State) =>
    `${at}|${held}|${open}|${flags}|${inside.map((places) => [...places].sort().join('.'))}`;
  let frontier = [from];
  const seen = new Set([key(from)]);
  if (isReached(world, from)) return 0;
  for (let depth = 1; frontier.length > 0; depth++) {
    const next: State[] = [];
    for (const state of frontier) {
      for (const command of admissible(world, state)) {
        if (/^(look|inventory|help|examine|slice)/.test(command)) continue;
        const after = copyState(state);
        step(world, after, command);
        if (isReached(world, after)) return depth;
        if (seen.has(key(after))) continue;
        seen.add(key(after));
        next.push(after);
      }
    }
    frontier = next;
  }
  return undefined;
}

const OBJECTS = ['mug', 'mug', 'apple'] as const;
const RECEPTACLES = ['shelf', 'shelf', 'cabinet', 'sinkbasin', 'table'] as const;
const PLACES = { minLength: RECEPTACLES.length, maxLength: RECEPTACLES.length };

/** Rooms of five places, three objects and perhaps a lamp; some share a location, some objects lie in two places. */
const room = fc
  .record({
    at: fc.array(fc.integer({ min: 1, max: 4 }), PLACES),
    openable: fc.array(fc.integer({ min: 0, max: 1 }), PLACES),
    inside: fc.array(fc.array(fc.nat(RECEPTACLES.length - 1), { minLength: 1, maxLength: 2 }), {
      minLength: 3,
      maxLength: 3,
    }),
    lamp: fc.option(fc.nat(RECEPTACLES.length - 1)),
    cleanable: fc.boolean(),
    can: fc.array(fc.subarray(['mug', 'apple']), PLACES),
    goal: fc.oneof(
      fc.record({
        kind: fc.constantFrom('place' as const, 'clean' as const, 'two' as const),
        object: fc.constant('mug'),
        receptacle: fc.constantFrom('shelf', 'cabinet'),
      }),
      fc.record({ kind: fc.constant('look' as const), object: fc.constant('mug'), lamp: fc.constant('desklamp') }),
    ),
  })
  .map(({ at, openable, inside, lamp, cleanable, can, goal }): WorldRecord => {
    const counts = new Map<string, number>();
    const named = (type: string) => {
      counts.set(type, (counts.get(type) ?? 0) + 1);
      return `${type} ${counts.get(type)}`;
    };
    return {
      id: 'room',
      task: '',
      goal: goal as Goal,
      receptacles: RECEPTACLES.map((type, i) => [named(type), type, at[i]!, openable[i]!]),
      objects: [
        ...OBJECTS.map((type, i): WorldRecord['objects'][number] => [
          named(type),
          type,
          at[inside[i]![0]!]!,
          [...new Set(inside[i])],
          cleanable ? 'pc' : 'p',
        ]),
        ...(lamp === null
          ? []
          : [['desklamp 1', 'desklamp', at[lamp]!, [lamp], 't'] as WorldRecord['objects'][number]]),
      ],
      inside: [],
      start: 0,
      can: Object.fromEntries(RECEPTACLES.map((type, i) => [type, can[i]!])),
    };
  });

describe('the search for plans', () => {
  it('finds what an exhaustive search finds, from wherever random play has led', () => {
    fc.assert(
      fc.property(room, fc.array(fc.nat(), { maxLength: 6 }), (record, picks) => {
        const world = soundWorld(record);
        const state = initialState(world);
        for (const pick of picks) {
          const commands = admissible(world, state);
          step(world, state, commands[pick % commands.length]!);
        }
        const plan = shortestPlan(world, state);
        expect(plan?.length).toBe(exhaustive(world, state));
        for (const command of plan ?? []) step(world, state, command);
        expect(plan === undefined || isReached(world, state)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('wins with its last command and not before', () => {
    const world = soundWorld(KITCHEN);
    const state = initialState(world);
    const plan = shortestPlan(world, state)!;
    expect(plan).toHaveLength(KITCHEN.walkthrough!.length);
    for (const command of plan) {
      expect(state.won).toBe(false);
      step(world, state, command);
    }
    expect(state.won).toBe(true);
  });

  it('knows that what starts in the fridge is cool already', () => {
    const world = soundWorld(kitchenWith({ kind: 'cool', object: 'apple', receptacle: 'microwave' }));
    expect(shortestPlan(world, initialState(world))).toEqual([
      'go to fridge 1',
      'open fridge 1',
      'take apple 2 from fridge 1',
      'go to microwave 1',
      'open microwave 1',
      'move apple 2 to microwave 1',
    ]);
  });

  it.each([
    ['nothing of the type is there', { kind: 'place', object: 'pan', receptacle: 'cabinet' }],
    ['nothing takes the object', { kind: 'place', object: 'apple', receptacle: 'cabinet' }],
    ['it cannot be treated so', { kind: 'heat', object: 'knife', receptacle: 'drawer' }],
    ['there is only one', { kind: 'two', object: 'knife', receptacle: 'drawer' }],
    ['it is no lamp', { kind: 'look', object: 'mug', lamp: 'knife' }],
  ] as [string, Goal][])('says that there is no plan where %s', (_, goal) => {
    const world = soundWorld(kitchenWith(goal));
    expect(distance(world, initialState(world))).toBeUndefined();
  });
});
