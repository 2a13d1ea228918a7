/** A table as Parquet, one row group at a time, so that memory does not grow with the table. */
import { type ColumnSource, fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Cell, Column } from './export-tables.ts';
import { wellFormed, wellFormedJson } from './well-formed.ts';

const GROUP_ROWS = 2000;
/** Row groups also end here, measured roughly: long traces must not gather by the thousand. */
const GROUP_BYTES = 8 << 20;

/** Returns the number of rows. */
export function writeParquet(file: string, columns: readonly Column[], rows: Iterable<Record<string, Cell>>): number {
  // Statistics would copy the longest texts into the footer.
  const parquet = new ParquetWriter({ writer: fileWriter(file), schema: schemaOf(columns), statistics: false });
  let group = columns.map((): unknown[] => []);
  let [count, size, bytes] = [0, 0, 0];
  const flush = () => {
    if (size === 0) return;
    const columnData = columns.map(({ name }, i): ColumnSource => ({ name, data: group[i]! }));
    parquet.write({ columnData, rowGroupSize: size });
    group = columns.map(() => []);
    [size, bytes] = [0, 0];
  };
  for (const row of rows) {
    for (const [i, column] of columns.entries()) {
      const cell = stored(row[column.name], column);
      group[i]!.push(cell);
      bytes += sizeOf(cell);
    }
    count += 1;
    size += 1;
    if (size === GROUP_ROWS || bytes > GROUP_BYTES) flush();
  }
  flush();
  parquet.finish();
  return count;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

function elementsOf({ name, type, nullable }: Column): SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  switch (type) {
    case 'string':
    case 'json':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }];
    case 'int':
      return [{ name, type: 'INT32', repetition_type }];
    case 'double':
      return [{ name, type: 'DOUBLE', repetition_type }];
    case 'boolean':
      return [{ name, type: 'BOOLEAN', repetition_type }];
    case 'ids':
      return listOfLists(name, { name: 'element', type: 'INT32', repetition_type: 'REQUIRED' });
    case 'floats':
      return listOfLists(name, { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' });
    default:
      return type satisfies never;
  }
}

const listOfLists = (name: string, element: SchemaElement): SchemaElement[] => [
  { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  element,
];

function stored(cell: Cell, { type, nullable }: Column): unknown {
  if (nullable && (cell === undefined || cell === null)) return null;
  switch (type) {
    case 'string':
      return wellFormed(String(cell));
    case 'json':
      return wellFormedJson(cell);
    case 'ids':
    case 'floats':
      return (cell as readonly (Int32Array | Float32Array)[]).map((list) => Array.from(list));
    default:
      return cell;
  }
}

function sizeOf(cell: unknown): number {
  if (typeof cell === 'string') return cell.length;
  return Array.isArray(cell) ? cell.reduce((sum, list) => sum + 8 * list.length, 0) : 8;
}
