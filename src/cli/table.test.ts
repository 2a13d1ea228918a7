import { expect, it } from 'vitest';
import { type Column, table } from './table.ts';

interface Row {
  name: string;
  n: number;
  note: string;
}
const rows: Row[] = [
  { name: 'one', n: 1, note: 'a note that runs on and on' },
  { name: 'twenty', n: 20, note: 'short' },
];
const columns: Column<Row>[] = [
  { title: 'name', cell: ({ name }) => name },
  { title: 'n', cell: ({ n }) => String(n), align: 'right', drop: 1 },
  { title: 'more', cell: () => 'extra', drop: 2 },
  { title: 'note', cell: ({ note }) => note, shrinkTo: 10 },
];

it('is as wide as it needs to be', () => {
  expect(table(columns, rows, 80)).toEqual([
    '  name     n  more   note',
    '  one      1  extra  a note that runs on and on',
    '  twenty  20  extra  short',
  ]);
});

it('shortens what runs on, then leaves columns out in order, and says which', () => {
  expect(table(columns, rows, 36)[1]).toBe('  one      1  extra  a note that ru…');
  expect(table(columns, rows, 28)).toEqual([
    '  name     n  note',
    '  one      1  a note that r…',
    '  twenty  20  short',
    '  no room for: more',
  ]);
  expect(table(columns, rows, 10).at(-1)).toBe('  more');
});

it('of nothing is its titles', () => {
  expect(table(columns, [], 80)).toEqual(['  name  n  more  note']);
});
