import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/types.ts';
import { loadRows } from './data.ts';
import { BOOK, INVITE, rowOf, SAID } from './fixtures.ts';
import { levelOfPrompt, promptOf, readPrompt, type Segment, writeCall, writePrompt } from './prompt.ts';
import { readToolList, type Tool, writeToolList } from './tool-list.ts';

const AFTER_A_CALL: Segment[] = [
  ...SAID,
  { kind: 'tool_call', text: writeCall({ name: 'BookTable', parameters: { place: 'Blue Door' } }) },
  { kind: 'obs', text: "{'table': 7}" },
  { kind: 'user', text: 'Invite Ann.' },
];

describe('a prompt', () => {
  it.each([1, 2, 3] as const)('of level %i is read, told by its form, and written back letter by letter', (level) => {
    const messages = promptOf(rowOf(level, 0, { tools: [BOOK, INVITE], said: AFTER_A_CALL }));
    const prompt = readPrompt(messages)!;
    expect(prompt.list.tools).toEqual([BOOK, INVITE]);
    expect(prompt.dialogue).toEqual(AFTER_A_CALL);
    expect(levelOfPrompt(messages)).toBe(level);
    expect(writePrompt(messages, prompt.list.tools, prompt.dialogue)).toEqual(messages);
  });

  it('lends its own words to another task', () => {
    const model = promptOf(rowOf(2, 0));
    const [system, user] = writePrompt(model, [INVITE], [{ kind: 'user', text: 'Invite Bob.' }]);
    expect(system!.content).toContain('Tools:\n1. Name: Invite\nDescription: Invites guests.\nParameters: {');
    expect(system!.content.endsWith('Reply:\n1. With one call.\n')).toBe(true);
    expect(user!.content).toBe('***History**\n<user> Invite Bob. </user>\n\n<user> Now make one call.</user>\n');
  });

  it.each<[string, Message[]]>([
    ['no messages', []],
    ['no tools', [{ role: 'system', content: 'Hello.' }, promptOf(rowOf(1, 0))[1]!]],
    ['no dialogue', [promptOf(rowOf(1, 0))[0]!, { role: 'user', content: 'Hello.' }]],
    ['a tag that never closes', [promptOf(rowOf(1, 0))[0]!, { role: 'user', content: 'H\n<user>a\n\n<user>b</user>' }]],
    [
      'other parameters',
      [{ role: 'system', content: 'T\n1. Name: A\nDescription: b\nParameters: [1]\n\n' }, promptOf(rowOf(1, 0))[1]!],
    ],
  ])('with %s is none', (_, messages) => {
    expect(readPrompt(messages)).toBeUndefined();
    expect(levelOfPrompt(messages)).toBeUndefined();
  });
});

describe('a list of tools', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\n\r]/g, ''));
  const name = fc.stringMatching(/^[A-Za-z]\w{0,8}$/);
  const tool: fc.Arbitrary<Tool> = fc.record({
    name,
    description: line,
    parameters: fc.dictionary(
      name,
      fc.record({ type: fc.constantFrom('str', 'int', 'list(str)'), description: fc.string() }),
    ),
  });

  it('is read as it was written, whatever quotes and escapes the texts need', () => {
    fc.assert(
      fc.property(
        fc.array(tool, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('named' as const, 'short' as const),
        (tools, style) => {
          const read = readToolList(writeToolList({ style, tools }))!;
          expect(read.style).toBe(style);
          expect(JSON.parse(JSON.stringify(read.tools))).toEqual(JSON.parse(JSON.stringify(tools)));
        },
      ),
    );
  });

  it.each([
    '',
    '1. A',
    '1. Name: A\nDescription: b',
    '1. Name: A\nDescription: b\nParameters: {',
    '2. A: b\nParameters: {}',
  ])('is not %j', (text) => {
    expect(readToolList(text)).toBeUndefined();
  });
});

describe.skipIf(!process.env.GENENV_DATA)('the data (needs GENENV_DATA)', () => {
  it('is read and written back letter by letter, all 597 rows', async () => {
    const rows = await loadRows(`${process.env.GENENV_DATA}/api-bank`);
    expect(rows).toHaveLength(597);
    for (const row of rows) {
      const messages = promptOf(row);
      const { list, dialogue } = readPrompt(messages)!;
      expect(writePrompt(messages, list.tools, dialogue)).toEqual(messages);
      expect(levelOfPrompt(messages)).toBe(row.level);
    }
  });
});
