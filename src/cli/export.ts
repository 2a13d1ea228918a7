/** `genenv export`: a run as files for other programs. */
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closest } from '../config/suggest.ts';
import { EXPORT_TABLES, type ExportedFile, type ExportTable, exportRun, openReader } from '../store/index.ts';
import { VERSION } from '../version.ts';
import { UsageError } from './errors.ts';
import { claimFolder, recordFiles } from './export-folder.ts';
import { count, fileSize } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { findRun } from './run-folder.ts';
import { paint, say, sayJson, tableWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { visible } from './visible.ts';

export interface ExportCommandOptions extends CommonOptions {
  format: 'jsonl' | 'parquet';
  tables?: string;
  out?: string;
}

export function exportCommand(name: string, options: ExportCommandOptions): void {
  const { run, folder, runsDir } = findRun(name, options);
  const tables = options.tables === undefined ? EXPORT_TABLES : readTables(options.tables);
  const out = options.out ?? `${run}-export`;
  const manifest = claimFolder(out, { run, createdAt: createdAtOf(folder), version: VERSION });
  if (!options.quiet) process.stderr.write(`writing ${tables.join(', ')} to ${visible(out)} …\n`);
  // One call for all tables: they show the run at one moment, even while it is being written.
  const files = exportRun(folder, out, { format: options.format, tables });
  recordFiles(out, manifest, files, new Date());
  if (options.json) sayJson({ run, format: options.format, out, files });
  else say(...page(run, files, { runsDir }));
}

function readTables(list: string): ExportTable[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known: readonly string[] = EXPORT_TABLES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    const near = closest(unknown ?? '', known);
    const what = unknown === undefined ? '--tables names no table' : `"${visible(unknown)}" is not a table`;
    throw new UsageError(
      `${what}. ${near === undefined ? '' : `Did you mean "${near}"? `}Tables: ${known.join(', ')}.`,
    );
  }
  // In our order, each once.
  return EXPORT_TABLES.filter((table) => names.includes(table));
}

function createdAtOf(folder: string): string | null {
  using reader = openReader(folder);
  const { createdAt } = reader.meta();
  return typeof createdAt === 'string' ? createdAt : null;
}

function page(run: string, files: readonly ExportedFile[], place: Pick<CommonOptions, 'runsDir'>): string[] {
  const columns: Column<ExportedFile>[] = [
    { title: 'file', cell: ({ file }) => visible(file), paint: (text) => paint('bold', text) },
    { title: 'rows', cell: ({ rows }) => count(rows), align: 'right' },
    { title: 'size', cell: ({ file }) => fileSize(statSync(file).size), align: 'right' },
  ];
  return [
    '',
    ...table(columns, files, tableWidth()),
    '',
    `  Every column is described in ${paint('bold', docsPage())}`,
    ...nextSteps([command(place, 'show', run), 'the run they are from']),
  ];
}

/** Where the page is on this machine: the package brings its docs along. */
const docsPage = () => relative('', fileURLToPath(new URL('../../docs/export.md', import.meta.url)));
