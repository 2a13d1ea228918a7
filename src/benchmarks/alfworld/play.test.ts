import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import type { Dialect } from './action.ts';
import { KITCHEN, kitchenWith } from './fixtures.ts';
import type { Goal } from './goal.ts';
import { admissible, isAdmissible, isOver, MAX_STEPS, step } from './play.ts';
import { copyState, initialState } from './state.ts';
import { introduction } from './text.ts';
import { soundWorld, type WorldRecord } from './world.ts';

function playing(record: WorldRecord = KITCHEN, dialect: Dialect = 'new') {
  const world = soundWorld(record);
  const state = initialState(world);
  return { world, state, say: (command: string) => step(world, state, command, dialect) };
}

const AT_COUNTERTOP = 'On the countertop 1, you see a apple 1, a egg 1, a knife 1, a mug 2, and a spoon 1.';

describe('playing', () => {
  it('begins in the middle of the room, with everything listed and the task last', () => {
    const { world, state } = playing();
    expect(introduction(world, state)).toBe(
      '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a drawer 1, a fridge 1, a microwave 1, and a sinkbasin 1.\n\nYour task is to: put a clean mug in cabinet.',
    );
  });

  it('wins the walkthrough at its last step', () => {
    const { state, say } = playing();
    const won = KITCHEN.walkthrough!.map((command) => {
      say(command);
      return state.won;
    });
    expect(won).toEqual([...Array<boolean>(won.length - 1).fill(false), true]);
  });

  it('goes anywhere but where it is, neighbours that share the place included', () => {
    const { say } = playing();
    expect(say('go to cabinet 1')).toBe('You arrive at cabinet 1. The cabinet 1 is closed.');
    expect(say('go to cabinet 1')).toBe('Nothing happens.');
    expect(say('go to cabinet 2')).toBe('Nothing happens.');
    expect(say('open cabinet 2')).toBe('You open the cabinet 2. The cabinet 2 is open. In it, you see a mug 1.');
    expect(say('examine cabinet 1')).toBe('The cabinet 1 is closed.');
    expect(say('close cabinet 1')).toBe('Nothing happens.');
    expect(say('close cabinet 2')).toBe('You close the cabinet 2.');
    expect(say('take mug 1 from cabinet 2')).toBe('Nothing happens.');
  });

  it('forgives outer whitespace and nothing else', () => {
    const { say, state } = playing();
    for (const command of [
      'Go to countertop 1',
      'go  to countertop 1',
      'go to countertop 1.',
      'go to  countertop 1',
      '',
      'go',
      'go to',
    ]) {
      expect(say(command)).toBe('Nothing happens.');
    }
    expect(say(' \n go to countertop 1\t')).toBe(`You arrive at countertop 1. ${AT_COUNTERTOP}`);
    expect(state.steps).toBe(8);
  });

  it('carries one object, and puts it only where its type belongs and a hand reaches in', () => {
    const { say } = playing();
    say('go to countertop 1');
    expect(say('inventory')).toBe('You are not carrying anything.');
    expect(say('take apple 1 from countertop 1')).toBe('You pick up the apple 1 from the countertop 1.');
    expect(say('inventory')).toBe('You are carrying: a apple 1.');
    expect(say('take mug 2 from countertop 1')).toBe('Nothing happens.');
    expect(say('examine countertop 1')).toBe(
      'On the countertop 1, you see a egg 1, a knife 1, a mug 2, and a spoon 1.',
    );
    say('go to cabinet 1');
    say('open cabinet 1');
    expect(say('move apple 1 to cabinet 1')).toBe('Nothing happens.');
    say('go to fridge 1');
    expect(say('move apple 1 to fridge 1')).toBe('Nothing happens.');
    expect(say('open fridge 1')).toBe('You open the fridge 1. The fridge 1 is open. In it, you see a apple 2.');
    expect(say('move apple 1 to fridge 1')).toBe('You move the apple 1 to the fridge 1.');
    expect(say('examine fridge 1')).toBe('The fridge 1 is open. In it, you see a apple 2, and a apple 1.');
    expect(say('examine apple 1')).toBe('Nothing happens.');
  });

  it('treats what is held, doors open or not', () => {
    const { say } = playing();
    say('go to countertop 1');
    say('take apple 1 from countertop 1');
    expect(say('examine apple 1')).toBe("There's nothing special about apple 1.");
    say('go to microwave 1');
    expect(say('clean apple 1 with microwave 1')).toBe('Nothing happens.');
    expect(say('heat apple 1 with microwave 1')).toBe('You heat the apple 1 using the microwave 1.');
    expect(say('examine apple 1')).toBe('This is a hot apple 1.');
    say('go to sinkbasin 1');
    expect(say('clean apple 1 with sinkbasin 1')).toBe('You clean the apple 1 using the sinkbasin 1.');
    expect(say('examine apple 1')).toBe('This is a hot and clean apple 1.');
    say('go to fridge 1');
    expect(say('cool apple 1 with fridge 1')).toBe('You cool the apple 1 using the fridge 1.');
    expect(say('examine apple 1')).toBe('This is a cool and clean apple 1.');
    expect(say('heat apple 1 with fridge 1')).toBe('Nothing happens.');
  });

  it.each<[string, string, string]>([
    ['', '', "There's nothing special about apple 1."],
    ['C', '', 'This is a cold apple 1.'],
    ['H', '', 'This is a hot apple 1.'],
    ['L', '', 'This is a clean apple 1.'],
    ['LH', '', 'This is a hot and clean apple 1.'],
    ['LC', '', 'This is a cool and clean apple 1.'],
    ['', 'sliced', 'This is a sliced apple 1.'],
    ['C', 'sliced', 'This is a cool sliced apple 1.'],
    ['H', 'sliced', 'This is a hot sliced apple 1.'],
    ['L', 'sliced', 'This is a clean sliced apple 1.'],
    ['LH', 'sliced', 'This is a hot and clean sliced apple 1.'],
    ['LC', 'sliced', 'This is a cool and clean sliced apple 1.'],
  ])('examines an apple of flags %j %s', (flags, sliced, text) => {
    const objects = KITCHEN.objects.map((row): WorldRecord['objects'][number] =>
      row[0] === 'apple 1' ? [row[0], row[1], row[2], row[3], `pchos${flags}`] : row,
    );
    const { say } = playing({ ...KITCHEN, objects });
    say('go to countertop 1');
    if (sliced) {
      say('take knife 1 from countertop 1');
      expect(say('slice apple 1 with knife 1')).toBe('You sliced the apple 1 with the knife 1.');
      say('move knife 1 to countertop 1');
    }
    say('take apple 1 from countertop 1');
    expect(say('examine apple 1')).toBe(text);
  });

  it('looks into receptacle objects, and sees what was in them from the start', () => {
    const { say } = playing();
    say('go to countertop 1');
    say('take mug 2 from countertop 1');
    expect(say('examine mug 2')).toBe('This is a normal mug 2. In it, you see a spoon 1.');
    say('move mug 2 to countertop 1');
    say('go to cabinet 2');
    say('open cabinet 2');
    say('take mug 1 from cabinet 2');
    expect(say('examine mug 1')).toBe('This is a normal mug 1. In it, you see nothing.');
  });

  it('uses a lamp behind a closed door, and says that a held lamp is on', () => {
    const objects = KITCHEN.objects.map((row): WorldRecord['objects'][number] =>
      row[0] === 'desklamp 1' ? ['desklamp 1', 'desklamp', 3, [3], 'pt'] : row,
    );
    const { say } = playing({ ...KITCHEN, objects });
    expect(say('use desklamp 1')).toBe('Nothing happens.');
    say('go to drawer 1');
    expect(say('use desklamp 1')).toBe('You turn on the desklamp 1.');
    expect(say('use desklamp 1')).toBe('You turn on the desklamp 1.');
    say('open drawer 1');
    say('take desklamp 1 from drawer 1');
    expect(say('examine desklamp 1')).toBe('This desklamp 1 is on.');
    expect(say('use desklamp 1')).toBe('Nothing happens.');
  });

  it('keeps an object in its other places when it is taken from one', () => {
    const { say } = playing();
    say('go to countertop 1');
    say('take egg 1 from countertop 1');
    expect(say('go to sinkbasin 1')).toBe('You arrive at sinkbasin 1. On the sinkbasin 1, you see a egg 1.');
    expect(say('take egg 1 from sinkbasin 1')).toBe('Nothing happens.');
    expect(say('move egg 1 to sinkbasin 1')).toBe('You move the egg 1 to the sinkbasin 1.');
    expect(say('examine sinkbasin 1')).toBe('On the sinkbasin 1, you see a egg 1.');
  });

  it('slices only with a knife in hand what is at the same location', () => {
    const { say } = playing();
    say('go to countertop 1');
    expect(say('slice apple 1 with knife 1')).toBe('Nothing happens.');
    say('take knife 1 from countertop 1');
    expect(say('slice mug 2 with knife 1')).toBe('Nothing happens.');
    expect(say('slice apple 2 with knife 1')).toBe('Nothing happens.');
    expect(say('slice egg 1 with knife 1')).toBe('You sliced the egg 1 with the knife 1.');
    say('go to fridge 1');
    expect(say('slice apple 2 with knife 1')).toBe('You sliced the apple 2 with the knife 1.');
  });

  it('sees next to it, once per place it was taken from, what was moved to a neighbour', () => {
    const { say } = playing();
    say('go to cabinet 2');
    expect(say('look')).toBe('You are facing the cabinet 2, and cabinet 1. Next to it, you see nothing.');
    for (const command of ['open cabinet 2', 'open cabinet 1', 'take mug 1 from cabinet 2']) say(command);
    expect(say('look')).toBe('You are facing the cabinet 2, and cabinet 1. Next to it, you see nothing.');
    say('move mug 1 to cabinet 1');
    expect(say('look')).toBe('You are facing the cabinet 2, and cabinet 1. Next to it, you see a mug 1.');
    say('take mug 1 from cabinet 1');
    say('move mug 1 to cabinet 2');
    expect(say('look')).toBe('You are facing the cabinet 2, and cabinet 1. Next to it, you see a mug 1.');
  });

  it('has a table of commands for help', () => {
    const { say } = playing();
    expect(say('help').split('\n')).toEqual([
      '',
      'Available commands:',
      '  look:                             look around your current location',
      '  inventory:                        check your current inventory',
      '  go to (receptacle):               move to a receptacle',
      '  open (receptacle):                open a receptacle',
      '  close (receptacle):               close a receptacle',
      '  take (object) from (receptacle):  take an object from a receptacle',
      '  move (object) to (receptacle):  place an object in or on a receptacle',
      '  examine (something):              examine a receptacle or an object',
      '  use (object):                     use an object',
      '  heat (object) with (receptacle):  heat an object using a receptacle',
      '  clean (object) with (receptacle): clean an object using a receptacle',
      '  cool (object) with (receptacle):  cool an object using a receptacle',
      '  slice (object) with (object):     slice an object using a sharp object',
      '',
    ]);
  });

  it('puts things in the old dialect, names the location on arrival, and has no help', () => {
    const { say, world, state } = playing(KITCHEN, 'old');
    expect(say('help')).toBe('Nothing happens.');
    expect(say('go to countertop 1')).toBe(`You arrive at loc 6. ${AT_COUNTERTOP}`);
    say('take mug 2 from countertop 1');
    expect(admissible(world, state, 'old')).toContain('put mug 2 in/on countertop 1');
    expect(say('move mug 2 to countertop 1')).toBe('Nothing happens.');
    expect(say('put mug 2 in/on countertop 1')).toBe('You put the mug 2 in/on the countertop 1.');
  });

  it('is over after a win, or after fifty steps of any kind', () => {
    const { say, state } = playing();
    for (let i = 0; i < MAX_STEPS; i++) {
      expect(isOver(state)).toBe(false);
      say('dance');
    }
    expect(isOver(state)).toBe(true);
  });

  it('answers ten million characters at once', () => {
    const { say } = playing();
    const spent = cpuStopwatch();
    for (const text of ['go to '.repeat(1.6e6), 'x'.repeat(1e7), `take ${' '.repeat(1e7)} from`]) {
      expect(say(text)).toBe('Nothing happens.');
    }
    expect(spent()).toBeLessThan(1000);
  });
});

describe('goals', () => {
  it.each<[Goal, string[]]>([
    [
      { kind: 'place', object: 'knife', receptacle: 'drawer' },
      [
        'go to countertop 1',
        'take knife 1 from countertop 1',
        'go to drawer 1',
        'open drawer 1',
        'move knife 1 to drawer 1',
      ],
    ],
    [
      { kind: 'heat', object: 'egg', receptacle: 'fridge' },
      [
        'go to countertop 1',
        'take egg 1 from countertop 1',
        'go to microwave 1',
        'heat egg 1 with microwave 1',
        'go to fridge 1',
        'open fridge 1',
        'move egg 1 to fridge 1',
      ],
    ],
    [
      { kind: 'two', object: 'mug', receptacle: 'cabinet' },
      [
        'go to countertop 1',
        'take mug 2 from countertop 1',
        'go to cabinet 2',
        'open cabinet 2',
        'move mug 2 to cabinet 2',
      ],
    ],
    [
      { kind: 'look', object: 'knife', lamp: 'desklamp' },
      ['go to drawer 1', 'use desklamp 1', 'go to countertop 1', 'take knife 1 from countertop 1', 'go to drawer 1'],
    ],
  ])('%j is reached by its last step alone', (goal, commands) => {
    const { state, say } = playing(kitchenWith(goal));
    for (const command of commands) {
      expect(state.won).toBe(false);
      expect(say(command)).not.toBe('Nothing happens.');
    }
    expect(state.won).toBe(true);
  });

  it('two in two different receptacles are not two in one', () => {
    const { state, say } = playing(kitchenWith({ kind: 'two', object: 'mug', receptacle: 'cabinet' }));
    for (const command of ['go to countertop 1', 'take mug 2 from countertop 1', 'go to cabinet 1', 'open cabinet 1'])
      say(command);
    expect(say('move mug 2 to cabinet 1')).toBe('You move the mug 2 to the cabinet 1.');
    expect(state.won).toBe(false);
  });
});

describe('the list of commands', () => {
  it('is sorted by code point, says each once, and is exactly what does something', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), fc.constantFrom<Dialect>('old', 'new'), (picks, dialect) => {
        const { world, state } = playing();
        const all = new Set<string>();
        for (const pick of picks) {
          const commands = admissible(world, state, dialect);
          expect(commands).toEqual([...new Set(commands)].sort());
          for (const command of commands) all.add(command);
          for (const command of all) {
            const after = copyState(state);
            const happened = step(world, after, command, dialect) !== 'Nothing happens.';
            expect(happened, command).toBe(commands.includes(command));
            expect(isAdmissible(world, state, command, dialect)).toBe(happened);
          }
          step(world, state, commands[pick % commands.length]!, dialect);
        }
      }),
    );
  });

  it('has an object and a receptacle of one name once', () => {
    const sink: WorldRecord = {
      ...KITCHEN,
      receptacles: [['sink 1', 'sink', 1, 0]],
      objects: [['sink 1', 'sink', 1, [0], 'pc']],
      inside: [],
    };
    const { world, state, say } = playing(sink);
    say('go to sink 1');
    say('take sink 1 from sink 1');
    expect(admissible(world, state)).toEqual([
      'clean sink 1 with sink 1',
      'examine sink 1',
      'help',
      'inventory',
      'look',
    ]);
  });

  it('belongs to a copy of the state as to the state', () => {
    const { world, state, say } = playing();
    say('go to countertop 1');
    const copy = copyState(state);
    say('take mug 2 from countertop 1');
    expect(admissible(world, copy)).toContain('take mug 2 from countertop 1');
    expect(admissible(world, state)).not.toContain('take mug 2 from countertop 1');
  });
});
