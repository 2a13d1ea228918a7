/** Rows of our own in the form of the data, for tests that must not need it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Json } from '../../core/types.ts';
import { type Call, fileOf, type Level, type Row } from './data.ts';
import type { Segment } from './prompt.ts';
import { type Tool, writeToolList } from './tool-list.ts';

export const BOOK: Tool = {
  name: 'BookTable',
  description: 'Books a table.',
  parameters: {
    place: { type: 'str', description: "The restaurant's name." },
    people: { type: 'int', description: 'How many come.' },
    time: { type: 'str', description: 'When. Format: %Y-%m-%d %H:%M:%S' },
  },
};

export const INVITE: Tool = {
  name: 'Invite',
  description: 'Invites guests.',
  parameters: {
    guests: { type: 'list(str)', description: 'Their names.' },
    note: { type: 'str', description: '[Optional] A note.' },
  },
};

export const SAID: Segment[] = [
  { kind: 'user', text: 'A table at Blue Door for 4 on May 2nd, 2024 at 7 pm, please.' },
  { kind: 'response', text: 'Let me book it.' },
];

export const CALL: Call = {
  name: 'BookTable',
  parameters: { place: 'Blue Door', people: '4', time: '2024-05-02 19:00:00' },
};

export function systemOf(level: Level, tools: Tool[]): string {
  return `You help.\n\nTools:\n${writeToolList({ style: level === 3 ? 'short' : 'named', tools })}\n\nReply:\n1. With one call.\n`;
}

export function userOf(level: Level, dialogue: readonly Segment[]): string {
  const pad = level === 2 ? ' ' : '';
  const said = dialogue.map(({ kind, text }, i) => {
    if (kind === 'tool_call') return `<tool_call>\n${text}\n</tool_call>\n`;
    const space = kind === 'obs' ? ' ' : pad;
    return `${kind === 'user' && i > 0 ? '\n' : ''}<${kind}>${space}${text}${space}</${kind}>\n`;
  });
  return `${level === 2 ? '*' : ''}**History**\n${said.join('')}\n<user> Now make one call.</user>\n`;
}

/** A row; whatever is not given is a booking in a dialogue of its own. */
export function rowOf(
  level: Level,
  index: number,
  own: { tools?: Tool[]; said?: Segment[]; gold?: Call; file?: string } = {},
): Row {
  const { tools = [BOOK], said = SAID, gold = CALL, file = `dialogue-${index}` } = own;
  const [system, user] = [systemOf(level, tools), userOf(level, said)];
  return { id: `level-${level}/${index}`, level, system, user, gold, dialogue: `${level} ${file}` };
}

/** Writes rows as the three files of a data folder, and returns the folder. */
export function folderOf(rows: readonly Row[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-api-bank-'));
  for (const level of [1, 2, 3] as const) {
    const path = join(folder, fileOf(level));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(rows.filter((row) => row.level === level).map(asData)));
  }
  return folder;
}

function asData({ level, system, user, gold, dialogue }: Row): Json {
  const origin = dialogue.slice(2);
  return {
    system,
    user,
    answer: level === 2 ? gold : [gold],
    other: level === 3 ? { sample_id: origin, api_id: 0 } : { file: origin, id: 0 },
  };
}

/** Twenty dialogues on each level, the guests' number telling them apart, and a second row that follows the first. */
export function manyRows(): Row[] {
  const levels: Level[] = [1, 2, 3];
  return levels.flatMap((level) =>
    Array.from({ length: 20 }, (_, i) => {
      const people = String(100 * level + i);
      const user: Segment = { kind: 'user', text: `Blue Door, ${people} people, May 2nd, 2024, 7 pm.` };
      const gold = { ...CALL, parameters: { ...CALL.parameters, people } };
      const guests = { name: 'Invite', parameters: { guests: "['Ann', 'Bob']" } };
      const later: Segment[] = [
        user,
        { kind: 'tool_call', text: JSON.stringify(gold) },
        { kind: 'obs', text: 'booked' },
        { kind: 'user', text: `Now invite Ann and Bob to table ${people}.` },
      ];
      const own = { tools: [BOOK, INVITE], file: `dialogue-${i}` };
      return [
        rowOf(level, 2 * i, { ...own, said: [user], gold }),
        rowOf(level, 2 * i + 1, { ...own, said: later, gold: guests }),
      ];
    }).flat(),
  );
}
