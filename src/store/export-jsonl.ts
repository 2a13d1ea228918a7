/** A table as JSON Lines: one object a line, keys in the order of the columns. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Cell, Column } from './export-tables.ts';
import { wellFormedJson } from './well-formed.ts';

const CHUNK_CHARACTERS = 1 << 20;

/** Returns the number of rows. */
export function writeJsonl(file: string, columns: readonly Column[], rows: Iterable<Record<string, Cell>>): number {
  const out = openSync(file, 'w');
  try {
    let count = 0;
    let chunk = '';
    for (const row of rows) {
      chunk += `${wellFormedJson(Object.fromEntries(columns.map(({ name, type }) => [name, plain(row[name], type)])))}\n`;
      count += 1;
      if (chunk.length > CHUNK_CHARACTERS) {
        writeAll(out, chunk);
        chunk = '';
      }
    }
    writeAll(out, chunk);
    return count;
  } finally {
    closeSync(out);
  }
}

/** JSON has no typed arrays, no undefined and no infinities: lists of lists, null and null. */
function plain(cell: Cell, type: Column['type']): unknown {
  if (cell === undefined) return null;
  if (type !== 'ids' && type !== 'floats') return cell;
  return (cell as readonly (Int32Array | Float32Array)[]).map((list) => Array.from(list));
}

/** A write may be partial where the disk fills up; the next one then says so. */
function writeAll(out: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(out, bytes, done);
}
