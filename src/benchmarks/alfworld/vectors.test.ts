import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/types.ts';
import { KITCHEN } from './fixtures.ts';
import { judgeVector } from './vectors.ts';

const judge = (vector: JsonObject) => judgeVector(vector, { data: '/nowhere' });
const world = KITCHEN as unknown as Json;

describe('a vector', () => {
  it('of a simulation is played, and compared in the fields that it expects', async () => {
    const expected = { observations: ['You are not carrying anything.', 'Nothing happens.'], won: false };
    const vector = { id: 'v', kind: 'simulate', world, commands: ['inventory', 'fly'], expected };
    expect(await judge(vector)).toEqual({ expected, got: expected });
    const commands = { admissible_commands: [], unheard: 1 };
    expect(await judge({ ...vector, expected: commands })).toMatchObject({
      expected: commands,
      got: { admissible_commands: expect.arrayContaining(['look']) as Json, unheard: null },
    });
  });

  it('of a single step is scored', async () => {
    const expected = { action: 'look', correct: true };
    const vector = { id: 'v', kind: 'single_step', model_output: '> LOOK.', target: 'look', expected };
    expect(await judge(vector)).toEqual({ expected, got: expected });
    expect(await judge({ ...vector, model_output: 7 })).toMatchObject({ got: { action: '', correct: false } });
  });

  it('that is a transcript is played in the old dialect, without the sentence of arrival', async () => {
    const transcript = {
      id: 'kitchen',
      world,
      intro:
        'You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a drawer 1, a fridge 1, a microwave 1, and a sinkbasin 1.',
      task: KITCHEN.task,
      won: 0,
      turns: [
        ['go to countertop 1', 'On the countertop 1, you see a apple 1, a egg 1, a knife 1, a mug 2, and a spoon 1.'],
        ['take mug 2 from countertop 1', 'You pick up the mug 2 from the countertop 1.'],
        ['put mug 2 in/on countertop 1', 'You put the mug 2 in/on the countertop 1.'],
        ['leave', 'Nothing happens.'],
      ],
    };
    const judged = await judge(transcript);
    expect(judged).not.toBe('skipped');
    if (judged !== 'skipped') expect(judged.got).toEqual(judged.expected);
    const other = await judge({ ...transcript, won: true });
    if (other !== 'skipped') expect(other.got).not.toEqual(other.expected);
  });

  it('of another kind is skipped', async () => {
    expect(await judge({ id: 'v', kind: 'video' })).toBe('skipped');
  });
});
