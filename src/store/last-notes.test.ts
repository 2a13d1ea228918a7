import { expect, it } from 'vitest';
import { at, newJournal, tempFolder } from './fixtures.ts';
import { openReader } from './reader.ts';

it('the newest notes of a kind come first, whatever else was noted', () => {
  const folder = tempFolder();
  using journal = newJournal(folder);
  const note = (kind: string, detail: string) => ({ kind, epoch: 1, detail });
  journal.commit(at(1), { notes: [note('control', 'a'), note('kl', 'b'), note('control', 'c'), note('control', 'd')] });
  using reader = openReader(folder);
  expect(reader.browse.lastNotes('control', 2).map(({ detail }) => detail)).toEqual(['d', 'c']);
  expect(reader.browse.lastNotes('control', 2)[0]).toMatchObject({ row: 4, kind: 'control', epoch: 1 });
  expect(reader.browse.lastNotes('none', 2)).toEqual([]);
});
