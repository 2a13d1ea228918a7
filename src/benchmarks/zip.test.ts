import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataError } from './data.ts';
import { readZip } from './zip.ts';

interface Member {
  name: string;
  text: string;
  method?: number;
  checksum?: number;
}

/** An archive as any packer writes it. */
function zipOf(members: readonly Member[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, method = 8, checksum } of members) {
    const whole = Buffer.from(text);
    const packed = method === 8 ? deflateRawSync(whole) : whole;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(checksum ?? crc32(whole), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(whole.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...locals, listed, Buffer.from('PK\x05\x06', 'latin1'), end, Buffer.from(comment)]);
}

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
