import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords, parseCsv } from './csv.ts';

describe('parseCsv', () => {
  it('reads quotes, commas and line breaks inside quotes, and either line ending', () => {
    expect(parseCsv('a,b\r\n"x, ""y""","two\nlines"\nlast,\n')).toEqual([
      ['a', 'b'],
      ['x, "y"', 'two\nlines'],
      ['last', ''],
    ]);
  });

  it('keeps the empty field after a comma that ends the text, and skips blank lines', () => {
    expect(parseCsv('a,b\n\n\nc,')).toEqual([
      ['a', 'b'],
      ['c', ''],
    ]);
    expect(parseCsv('')).toEqual([]);
  });

  it('takes a quote inside a plain field as it is, and the rest of the text where a quote never closes', () => {
    expect(parseCsv('5" disk,x\n"open,y')).toEqual([['5" disk', 'x'], ['open,y']]);
  });

  it('gives back what was written, whatever the fields hold', () => {
    const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 })), (rows) => {
        expect(parseCsv(rows.map((row) => row.map(quoted).join(',')).join('\n'))).toEqual(rows);
      }),
    );
  });
});

describe('csvRecords', () => {
  it('looks fields up by the name of their column', () => {
    const [row] = csvRecords('name,city\nThe Inn,Dover\n');
    expect([row!('city'), row!('name'), row!('price')]).toEqual(['Dover', 'The Inn', '']);
  });
});
