import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskDraft } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Json } from '../../core/types.ts';
import { contextOf, readScene } from './environment.ts';
import { KITCHEN } from './fixtures.ts';
import { type Scene, sceneOf } from './scene.ts';
import { draftOf, features, recordOf, structure } from './tasks.ts';
import { soundWorld } from './world.ts';

const seed = rootTask(draftOf(soundWorld(KITCHEN)), 'base', { features, structure });
const read = (scene: Json) => readScene(JSON.stringify(scene), seed);
const problemWith = (scene: Json) => {
  const draft = read(scene);
  return 'problem' in draft ? draft.problem : undefined;
};
const { room, goal } = sceneOf(KITCHEN);
const withGoal = (other: object): Json => ({ goal: other, room }) as unknown as Json;
const withRoom = (change: object): Json => ({ goal, room: { ...room, ...change } }) as unknown as Json;

describe('a scene', () => {
  it('of the seed is shown to the author, with the kinds of things there are and the target', () => {
    const target = { alpha: 0.5, kMin: 0.1 };
    const [, user] = contextOf({ slot: 0, seed, count: 1, lineage: [], overall: 0.25, target });
    expect(user!.content.split('\n')).toEqual([
      'Seed: {"goal":{"kind":"clean","object":"mug","receptacle":"cabinet"},"room":{"cabinet 2":["mug 1"],"cabinet 1":[],"countertop 1":["apple 1","egg 1","knife 1","mug 2","spoon 1"],"drawer 1":["desklamp 1"],"fridge 1":["apple 2"],"microwave 1":[],"sinkbasin 1":[]}}',
      'Kinds of objects: apple (clean, heat, cool); desklamp (turn on); egg (clean, heat, cool); knife (clean); mug (clean, heat, cool); spoon (clean).',
      'Kinds of receptacles: cabinet with a door (mug); countertop (apple, egg, knife, mug, spoon); drawer with a door (knife, spoon); fridge with a door (apple, egg, mug); microwave with a door (apple, egg, mug); sinkbasin (apple, egg, knife, mug, spoon).',
      'The agent has not attempted variations of this room yet.',
      "Agent's success on all generated rooms in the last epoch: 25%.",
      'Target: the agent should solve the new task in about 50% of its attempts (between 40% and 60%).',
    ]);
  });

  it('becomes a task that can be played, with the length of its plan', () => {
    const draft = read({
      goal: { kind: 'cool', object: 'egg', receptacle: 'countertop' },
      room: { 'countertop 2': [], 'countertop 10': ['egg 4'], 'fridge 1': ['apple 7'], 'drawer 1': ['desklamp 1'] },
    } as unknown as Json) as TaskDraft;
    expect(draft.prompt.at(-1)!.content).toBe(
      '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a countertop 10, a countertop 2, a drawer 1, and a fridge 1.\n\nYour task is to: put a cool egg in countertop.',
    );
    expect(features(draft)).toEqual({ plan: 6, receptacles: 4, doors: 2, objects: 3, candidates: 1 });
    expect(structure(draft)).toBe('cool plan6 small');
    expect(recordOf(draft).objects).toContainEqual(['apple 7', 'apple', 4, [3], 'pchosC']);
  });

  it('can bring back what a variation before it left out', () => {
    const bare = read({ goal, room: { 'cabinet 1': [], 'sinkbasin 1': ['mug 1'] } } as unknown as Json) as TaskDraft;
    const next = rootTask(bare, 'generated', { features, structure });
    const again = readScene(JSON.stringify({ goal, room }), next);
    expect('problem' in again).toBe(false);
  });

  it('may stand in a fence with words around it', () => {
    expect(
      'problem' in readScene(`Here it is:\n\`\`\`json\n${JSON.stringify(withRoom({ 'drawer 2': [] }))}\n\`\`\``, seed),
    ).toBe(false);
  });

  it.each<[string, Json]>([
    ['goal: expected an object', { room } as unknown as Json],
    ['room: expected receptacles with lists of what is in them', { goal, room: [] } as unknown as Json],
    ['room: there is no receptacle in it', { goal, room: {} } as unknown as Json],
    [
      'room.sofa 1: expected a receptacle with a number from 1 to 999, one of cabinet, countertop, drawer, fridge, microwave, sinkbasin',
      withRoom({ 'sofa 1': [] }),
    ],
    [
      'room.drawer 0: expected a receptacle with a number from 1 to 999, one of cabinet, countertop, drawer, fridge, microwave, sinkbasin',
      withRoom({ 'drawer 0': [] }),
    ],
    ['room.drawer 1: expected a list of objects', withRoom({ 'drawer 1': 'knife 2' })],
    ['room.drawer 1.0: expected the name of an object', withRoom({ 'drawer 1': [7] })],
    [
      'room.drawer 1.1: expected an object with a number from 1 to 999, one of apple, desklamp, egg, knife, mug, spoon',
      withRoom({ 'drawer 1': ['knife 2', 'constructor 1'] }),
    ],
    ['room.drawer 1.0: knife 1 is in the room already', withRoom({ 'drawer 1': ['knife 1'] })],
    ['room.drawer 1.0: a mug cannot be put in a drawer', withRoom({ 'drawer 1': ['mug 7'] })],
    ['goal: it is reached before the first step', withGoal({ kind: 'place', object: 'mug', receptacle: 'cabinet' })],
    [
      'goal: it cannot be reached, there is no pan in the room',
      withGoal({ kind: 'place', object: 'pan', receptacle: 'cabinet' }),
    ],
    [
      'goal: it cannot be reached, no desklamp can be taken',
      withGoal({ kind: 'place', object: 'desklamp', receptacle: 'cabinet' }),
    ],
    [
      'goal: it cannot be reached, there is no floorlamp in the room',
      withGoal({ kind: 'look', object: 'mug', lamp: 'floorlamp' }),
    ],
    ['goal: it cannot be reached, no knife can be turned on', withGoal({ kind: 'look', object: 'mug', lamp: 'knife' })],
    [
      'goal: it cannot be reached, there is no sofa in the room',
      withGoal({ kind: 'place', object: 'mug', receptacle: 'sofa' }),
    ],
    [
      'goal: it cannot be reached, a egg cannot be put in a drawer',
      withGoal({ kind: 'place', object: 'egg', receptacle: 'drawer' }),
    ],
    [
      'goal: it cannot be reached, there are not two of knife',
      withGoal({ kind: 'two', object: 'knife', receptacle: 'drawer' }),
    ],
    [
      'goal: it cannot be reached, nothing can heat a knife',
      withGoal({ kind: 'heat', object: 'knife', receptacle: 'drawer' }),
    ],
    [
      'goal: it cannot be reached, there is nothing to clean with',
      { goal, room: { 'cabinet 1': [], 'countertop 1': ['mug 1'] } } as unknown as Json,
    ],
  ])('is refused with its place: %s', (problem, scene) => {
    expect(problemWith(scene)).toBe(problem);
  });

  it.each([
    ['', 'not JSON: expected {"goal", "room"}'],
    ['{"goal":', 'not JSON: expected {"goal", "room"}'],
    ['{'.repeat(200_000), 'longer than 100000 characters'],
    [
      '{"room":{"__proto__":[]},"goal":{"kind":"place","object":"mug","receptacle":"cabinet"}}',
      'room.__proto__: expected a receptacle',
    ],
  ])('that is no scene is refused, %#', (text, problem) => {
    expect(readScene(text, seed)).toMatchObject({ problem: expect.stringContaining(problem) as string });
  });

  it('of any shape is read without an exception', () => {
    const names = fc.constantFrom('mug 1', 'mug 2', 'cabinet 1', 'fridge 1', 'apple 1', '__proto__', 'drawer 1', 'x');
    const things = fc.oneof(fc.array(names, { maxLength: 4 }), fc.jsonValue());
    fc.assert(
      fc.property(fc.dictionary(names, things), fc.oneof(fc.constant(goal), fc.jsonValue()), (furniture, wanted) => {
        const draft = readScene(JSON.stringify({ goal: wanted, room: furniture }), seed);
        if ('problem' in draft) expect(draft.problem).not.toBe('');
        else expect(features(draft).plan).toBeGreaterThan(0);
      }),
    );
  });

  it('of a world is that world again, but for what lies in no place or in two', () => {
    const again = read({ ...sceneOf(KITCHEN) } as unknown as Json) as TaskDraft;
    const scene: Scene = sceneOf(recordOf(again));
    expect(scene).toEqual(sceneOf(KITCHEN));
    expect(recordOf(again).receptacles).toEqual(KITCHEN.receptacles);
  });
});
