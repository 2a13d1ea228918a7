import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataError } from './data.ts';
import { type Member, zipOf } from './fixtures.ts';
import { readZip } from './zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function unzipped(bytes: Buffer): Promise<[string, string][]> {
  const path = join(folder, 'archive.zip');
  await writeFile(path, bytes);
  const found: [string, string][] = [];
  for await (const { name, size, read } of readZip(path)) {
    const whole = await read();
    expect(whole).toHaveLength(size);
    found.push([name, whole.toString('utf8')]);
  }
  return found;
}

describe('a ZIP archive', () => {
  it('is read entry by entry, packed or stored, without its folders', async () => {
    const long = 'the same again, '.repeat(10_000);
    const members: Member[] = [
      { name: 'a/', text: '', method: 0 },
      { name: 'a/long.txt', text: long },
      { name: 'a/größe.txt', text: 'stored', method: 0 },
      { name: 'empty', text: '' },
    ];
    expect(await unzipped(zipOf(members, 'with a comment'))).toEqual([
      ['a/long.txt', long],
      ['a/größe.txt', 'stored'],
      ['empty', ''],
    ]);
  });

  it.each<[string, Member]>([
    ['is damaged', { name: 'x', text: 'abc', checksum: 1 }],
    ['is packed in a way that is not known (12)', { name: 'x', text: 'abc', method: 12 }],
  ])('is refused where an entry %s', async (why, member) => {
    await expect(unzipped(zipOf([member]))).rejects.toThrow(why);
  });

  it('is refused where bytes are missing or none of it is one', async () => {
    const whole = zipOf([{ name: 'x', text: 'abc'.repeat(1000) }]);
    await expect(unzipped(whole.subarray(40))).rejects.toThrow(DataError);
    await expect(unzipped(Buffer.from('not an archive'))).rejects.toThrow('is not a ZIP archive');
    await expect(unzipped(Buffer.alloc(0))).rejects.toThrow('is not a ZIP archive');
  });
});
