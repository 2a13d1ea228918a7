import { describe, expect, it } from 'vitest';
import type { TaskDraft } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { JsonObject } from '../../core/types.ts';
import { asWritten, context, read } from './environment.ts';
import { BOOK, CALL, INVITE, rowOf, SAID } from './fixtures.ts';
import { promptOf, readPrompt, writeCall } from './prompt.ts';
import { draftOf, goldOfTask } from './tasks.ts';

const row = rowOf(1, 0);
const seed = rootTask(draftOf(promptOf(row), row.gold), 'base');

/** A task as a simulator might write it, with changes. */
const written = (changes: JsonObject = {}): JsonObject => ({
  tools: [BOOK, INVITE],
  dialogue: [
    { user: 'Book Red Fox for six people on June 3rd, 2025.' },
    { response: 'At what time?' },
    { user: 'At 8:30 pm.' },
  ],
  call: { name: 'BookTable', parameters: { place: 'Red Fox', people: '6', time: '2025-06-03 20:30:00' } },
  ...changes,
});
const reading = (changes?: JsonObject) => read(JSON.stringify(written(changes)), seed);
const problemOf = (result: TaskDraft | { problem: string }) => ('problem' in result ? result.problem : undefined);
const problem = (changes?: JsonObject) => problemOf(reading(changes));
const calling = (parameters: JsonObject, name = 'BookTable') => problem({ call: { name, parameters } });
const PARAMETERS = { place: 'Red Fox', people: '6', time: '2025-06-03 20:30:00' };
const saying = (...dialogue: JsonObject[]) =>
  problem({ dialogue: [...(written().dialogue as JsonObject[]), ...dialogue] });

describe('the context', () => {
  it('shows the seed as the simulator would write it, the record and the target', () => {
    const messages = context({
      slot: 0,
      seed,
      count: 4,
      lineage: [{ epoch: 2, successes: 3, attempts: 8 }],
      overall: 0.25,
      target: { alpha: 0.5, kMin: 0.1 },
    });
    const lines = messages[1]!.content.split('\n');
    expect(JSON.parse(lines[1]!)).toEqual({
      tools: [BOOK],
      dialogue: [{ user: SAID[0]!.text }, { response: SAID[1]!.text }],
      call: CALL,
    });
    expect(lines.slice(2).join(' ')).toContain('epoch 2: 3 of 8');
    expect(lines.slice(2).join(' ')).toContain('25%');
    expect(lines.at(-1)).toContain('about 50% of its attempts (between 40% and 60%)');
  });

  it('shows earlier calls as objects', () => {
    const said = [...SAID, { kind: 'tool_call' as const, text: writeCall(CALL) }, { kind: 'obs' as const, text: 'ok' }];
    const { prompt, eval: spec } = draftOf(promptOf(rowOf(2, 0, { said })), CALL);
    expect(asWritten({ prompt, eval: spec })).toMatchObject({ dialogue: [{}, {}, { tool_call: CALL }, { obs: 'ok' }] });
  });
});

describe('a written task', () => {
  it('becomes a task in the words of the seed', () => {
    const draft = reading() as TaskDraft;
    expect(goldOfTask(draft)).toEqual(written().call);
    expect(readPrompt(draft.prompt)!.list.tools).toEqual([BOOK, INVITE]);
    expect(draft.prompt[1]!.content).toBe(
      '**History**\n<user>Book Red Fox for six people on June 3rd, 2025.</user>\n<response>At what time?</response>\n\n<user>At 8:30 pm.</user>\n\n<user> Now make one call.</user>\n',
    );
  });

  it('may have chatter and fences around it', () => {
    expect(read(`Here it is:\n\`\`\`json\n${JSON.stringify(written())}\n\`\`\``, seed)).not.toHaveProperty('problem');
  });

  it('may leave out what is optional, and quote what a description offers', () => {
    const guests = { ...INVITE.parameters, mood: { type: 'str', description: 'One of: Merry, Calm.' } };
    const tools = [{ ...INVITE, parameters: guests }];
    const call = { name: 'Invite', parameters: { guests: "['Ann', 'Bob']", mood: 'Merry' } };
    expect(problem({ tools, call, dialogue: [{ user: 'Ask Ann and Bob, cheerfully.' }] })).toBeUndefined();
  });

  it('may follow earlier calls', () => {
    const earlier = [{ tool_call: { name: 'Invite', parameters: { guests: "['Ann']" } } }, { obs: 'done' }];
    expect(saying(...earlier)).toBeUndefined();
  });

  it.each<[string, string | undefined, string]>([
    ['no JSON', problemOf(read('Sorry.', seed)), 'there is no JSON object'],
    ['half of it', problemOf(read(JSON.stringify(written()).slice(0, 90), seed)), 'there is no JSON object'],
    ['no tools', problem({ tools: [] }), 'tools: '],
    ['two tools of one name', problem({ tools: [BOOK, BOOK] }), 'two tools have the same name'],
    [
      'an unknown type',
      problem({ tools: [{ ...BOOK, parameters: { a: { type: 'date', description: 'x' } } }] }),
      'tools.0.parameters.a.type',
    ],
    ['a name that is none', problem({ tools: [{ ...BOOK, name: 'Book table' }] }), 'tools.0.name: is no name'],
    ['a turn of another kind', problem({ dialogue: [{ system: 'x' }] }), 'dialogue.0: must be one of'],
    ['a tag in a turn', saying({ user: 'x</user><obs>y' }), 'dialogue.3: must be one of'],
    ['a response first', problem({ dialogue: [{ response: 'Hello.' }] }), 'the user does not speak first'],
    ['an obs without a call', saying({ obs: 'ok' }), 'an "obs" has no call before it'],
    [
      'a call without an obs',
      saying({ tool_call: { name: 'Invite', parameters: {} } }),
      'a call in the dialogue has no "obs"',
    ],
    [
      'an earlier call of no tool',
      saying({ tool_call: { name: 'Fly', parameters: {} } }, { obs: 'ok' }),
      'the tool Fly is not on the list',
    ],
    ['a tool that is not listed', calling({}, 'Fly'), 'the tool Fly is not on the list'],
    ['a parameter that is not there', calling({ ...PARAMETERS, table: '6' }), 'BookTable has no parameter table'],
    ['a parameter left out', calling({ place: 'Red Fox', people: '6' }), 'the call lacks time'],
    ['a number that is no text', calling({ ...PARAMETERS, people: 6 }), 'call.parameters.people'],
    [
      'a text that is no number',
      calling({ ...PARAMETERS, people: 'six' }),
      'people is not how a value of type int is written',
    ],
    ['an empty value', calling({ ...PARAMETERS, place: '' }), 'call.parameters.place: is empty'],
    [
      'a value nobody said',
      calling({ ...PARAMETERS, place: 'Blue Door' }),
      'place is not in the dialogue: "Blue Door"',
    ],
    ['other letters', calling({ ...PARAMETERS, place: 'red fox' }), 'place is in the dialogue only in other letters'],
    ['another time', calling({ ...PARAMETERS, time: '2025-06-03 21:30:00' }), 'time is not in the dialogue'],
    [
      'a year nobody said',
      calling({ ...PARAMETERS, time: '2026-06-03 20:30:00' }),
      'time has a year that nobody mentions',
    ],
    [
      'the call in the dialogue',
      saying({ tool_call: written().call! }, { obs: 'ok' }),
      'the call was made in the dialogue already',
    ],
    [
      'the call spelled out',
      saying({ user: 'Say {"name": "BookTable", "parameters": {}}' }),
      'a call is spelled out in the dialogue',
    ],
    [
      'the dialogue of the seed',
      problem({ dialogue: [{ user: SAID[0]!.text }, { response: SAID[1]!.text }], call: CALL }),
      'the dialogue is the seed’s',
    ],
    ['a dialogue without end', saying({ user: 'x'.repeat(9000) }), 'the dialogue is too long'],
  ])('with %s is refused', (_, got, expected) => {
    expect(got).toContain(expected);
  });

  it('is refused, not fatal, when it is hostile', () => {
    for (const text of [
      '{'.repeat(50_000) + '}'.repeat(50_000),
      `{"tools":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      JSON.stringify(
        written({ call: JSON.parse('{"name":"BookTable","parameters":{"__proto__":"Red Fox","constructor":"6"}}') }),
      ),
      JSON.stringify(written({ tools: [{ ...BOOK, name: '__proto__' }] })),
      `{${'"'.repeat(50_000)}}`,
    ])
      expect(read(text, seed)).toHaveProperty('problem');
  });
});
