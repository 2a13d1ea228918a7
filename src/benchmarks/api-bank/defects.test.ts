import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadRows, type Row } from './data.ts';
import { defectLines, defects, isAnswerable, isOfType } from './defects.ts';
import { BOOK, CALL, folderOf, INVITE, rowOf, SAID } from './fixtures.ts';
import { writeCall } from './prompt.ts';
import { API_BANK_SOURCES } from './sources.ts';

const withParameters = (parameters: Record<string, string>) => ({ gold: { name: 'BookTable', parameters } });
const { people: _, ...unpeopled } = CALL.parameters;

const ROWS: Row[] = [
  rowOf(1, 0, { file: 'a' }),
  rowOf(1, 1, { file: 'a' }),
  rowOf(2, 0, { tools: [INVITE] }),
  rowOf(1, 2, withParameters({ ...CALL.parameters, table: '9' })),
  rowOf(1, 3, withParameters(unpeopled)),
  rowOf(1, 4, withParameters({ ...CALL.parameters, people: "4', table=" })),
  rowOf(1, 5, withParameters({ ...CALL.parameters, place: 'Red Door' })),
  rowOf(1, 6, withParameters({ ...CALL.parameters, place: 'blue door' })),
  rowOf(3, 0, {
    ...withParameters({ ...CALL.parameters, people: '5' }),
    said: [{ kind: 'user', text: 'Blue Door, 5, May 2nd, 7 pm.' }],
  }),
  rowOf(3, 1, {
    tools: [BOOK, INVITE],
    said: [
      ...SAID,
      { kind: 'user', text: 'Invite Ann.' },
      { kind: 'tool_call', text: writeCall({ name: 'Invite', parameters: { guests: "['Ann']" } }) },
      { kind: 'obs', text: 'ok' },
    ],
    gold: { name: 'Invite', parameters: { guests: "['Ann']" } },
  }),
];

describe('defects', () => {
  it('are found one by one', () => {
    const found = Object.fromEntries(defects(ROWS).map(({ name, rows }) => [name, rows]));
    expect(found).toEqual({
      'numbers as text': ['level-1/0', 'level-1/1', 'level-2/0', 'level-1/2', 'level-1/5', 'level-1/6', 'level-3/0'],
      'lists as text': ['level-3/1'],
      'three asterisks': ['level-2/0'],
      'duplicate row': ['level-1/1'],
      'tool not listed': ['level-2/0'],
      'parameter not listed': ['level-1/2'],
      'parameter left out': ['level-1/3'],
      'broken value': ['level-1/4'],
      'value not said': ['level-1/2', 'level-1/4', 'level-1/5'],
      'year not said': ['level-3/0'],
      'value spelled otherwise': ['level-1/6'],
      'call already made': ['level-3/1'],
      'call of two dialogues': ['level-1/0', 'level-1/1', 'level-2/0'],
    });
    expect(ROWS.filter((row) => !isAnswerable(row)).map(({ id }) => id)).toEqual([
      'level-2/0',
      'level-1/2',
      'level-1/4',
    ]);
  });

  it('are printed a line each', async () => {
    const lines = await defectLines(folderOf(ROWS));
    expect(lines).toContain('duplicate row: 1 rows (1 + 0 + 0): the same prompt and gold call as an earlier row');
  });
});

describe('a text', () => {
  it.each([
    ['5', 'int', true],
    ['-5', 'int', true],
    ['5.0', 'int', false],
    ['5.0', 'float', true],
    ['1e5', 'float', false],
    ['True', 'bool', true],
    ['true', 'bool', false],
    ["['a']", 'list(str)', true],
    ['a', 'list', false],
    ['a', 'str', true],
    ['', 'str', false],
  ])('%j as %s: %s', (value, type, fits) => {
    expect(isOfType(value, type)).toBe(fits);
  });
});

describe.skipIf(!process.env.GENENV_DATA)('the data (needs GENENV_DATA)', () => {
  const folder = join(process.env.GENENV_DATA ?? '', 'api-bank');

  it('has the defects that the docs report', async () => {
    const counts = defects(await loadRows(folder)).map(({ name, perLevel }) => [
      name,
      perLevel[1],
      perLevel[2],
      perLevel[3],
    ]);
    expect(counts).toEqual([
      ['numbers as text', 68, 5, 47],
      ['lists as text', 31, 10, 10],
      ['three asterisks', 0, 67, 0],
      ['duplicate row', 10, 0, 0],
      ['tool not listed', 0, 6, 0],
      ['parameter not listed', 8, 0, 0],
      ['parameter left out', 21, 0, 0],
      ['broken value', 5, 0, 0],
      ['value not said', 53, 12, 26],
      ['year not said', 32, 10, 0],
      ['value spelled otherwise', 14, 3, 3],
      ['call already made', 6, 0, 0],
      ['call of two dialogues', 235, 42, 24],
    ]);
  });

  it('is what the sources say', () => {
    for (const { path, bytes, sha256 } of API_BANK_SOURCES) {
      const content = readFileSync(join(folder, path));
      expect(content.length).toBe(bytes);
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    }
  });
});
