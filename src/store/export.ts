/** A run's data for other programs. Each file appears under its name only when it is complete. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from './connection.ts';
import { writeJsonl } from './export-jsonl.ts';
import { writeParquet } from './export-parquet.ts';
import { EXPORT_TABLES, type ExportTable, exportTable } from './export-tables.ts';
import { openToRead } from './run-file.ts';

export interface ExportOptions {
  format: 'jsonl' | 'parquet';
  /** All of them unless given. */
  tables?: readonly ExportTable[];
  /** Whether traces bring their token ids and log-probs; true unless given. */
  tokens?: boolean;
}

export interface ExportedFile {
  table: ExportTable;
  file: string;
  rows: number;
}

/** Takes a run's folder or a reader of it. All tables show the run at one moment, also while it is being written. */
export function exportRun(
  run: string | { readonly folder: string },
  outDir: string,
  options: ExportOptions,
): ExportedFile[] {
  const db = openToRead(typeof run === 'string' ? run : run.folder);
  try {
    mkdirSync(outDir, { recursive: true });
    return db.transaction('deferred', () =>
      (options.tables ?? EXPORT_TABLES).map((table) => writeTable(db, table, outDir, options)),
    );
  } finally {
    db[Symbol.dispose]();
  }
}

function writeTable(db: Connection, table: ExportTable, outDir: string, options: ExportOptions): ExportedFile {
  const { format, tokens = true } = options;
  const file = join(outDir, `${table}.${format}`);
  const partial = `${file}.${process.pid}.partial`;
  const { columns, rows } = exportTable(table, tokens);
  const write = format === 'jsonl' ? writeJsonl : writeParquet;
  try {
    const count = write(partial, columns, rows(db));
    renameSync(partial, file);
    return { table, file, rows: count };
  } finally {
    rmSync(partial, { force: true });
  }
}
