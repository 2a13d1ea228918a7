import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataError } from '../data.ts';
import { readCorpus } from './corpus.ts';
import { openSearch } from './open-search.ts';

const folder = mkdtempSync(join(tmpdir(), 'corpus-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a corpus', () => {
  it('is read from JSONL, with the fields that dumps use', async () => {
    const rows = [
      '{"title": "A", "text": "about a"}',
      '',
      '{"title": "B", "snippet": "about b\\u2028still b"}',
      '{"id": "7", "contents": "\\"C\\"\\nabout c\\nmore"}',
      '{"text": "no title", "__proto__": 1}',
    ];
    expect(await readCorpus(file('a.jsonl', rows.join('\n')))).toEqual([
      { title: 'A', text: 'about a' },
      { title: 'B', text: 'about b\u2028still b' },
      { title: 'C', text: 'about c more' },
      { title: '', text: 'no title' },
    ]);
  });

  it('is read from paragraphs, whose first line is the title if there are several', async () => {
    const text = 'A\nabout a\nand more\n\n\nonly a line\r\n\r\nB\nabout b';
    expect(await readCorpus(file('a.txt', text))).toEqual([
      { title: 'A', text: 'about a and more' },
      { title: '', text: 'only a line' },
      { title: 'B', text: 'about b' },
    ]);
  });

  it('that is broken says where', async () => {
    const ok = '{"title": "A", "text": "x"}';
    for (const bad of ['{"title": "A"}', 'words', '[1]', 'null', '{"text": 7}', '{"text": " "}']) {
      await expect(readCorpus(file('bad.jsonl', `${ok}\n${bad}\n`))).rejects.toThrow(/bad\.jsonl:2 is no passage/);
    }
    await expect(readCorpus(file('empty.txt', '\n\n'))).rejects.toThrow('holds no passage');
    await expect(readCorpus(file('long.txt', 'x'.repeat(3e6)))).rejects.toThrow('more than 1000000 characters');
    await expect(readCorpus(join(folder, 'missing.jsonl'))).rejects.toThrow(DataError);
    await expect(readCorpus(folder)).rejects.toThrow(DataError);
  });

  it('is opened by the first query, once', async () => {
    const path = file('b.jsonl', '{"title": "Zebra", "text": "has stripes"}');
    const search = openSearch({ kind: 'bm25', corpus: path });
    expect(await search('stripes', 5)).toEqual([{ title: 'Zebra', snippet: 'has stripes' }]);
    writeFileSync(path, '');
    expect(await search('zebra', 5)).toHaveLength(1);
    await expect(openSearch({ kind: 'bm25', corpus: join(folder, 'none.txt') })('x', 5)).rejects.toThrow('Cannot read');
  });
});
