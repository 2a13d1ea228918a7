/**
 * The folder an export goes to. It may be new, empty, or an earlier export of the same run, which is brought up to date:
 * training goes on, and exporting again is the normal thing. Anything else is refused, because a folder of one's own data
 * may well hold a file called tasks.jsonl. `export.json`, written first, is how an earlier export is known.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeJson } from '../report/write-whole.ts';
import type { ExportedFile } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { visible } from './visible.ts';

export interface Manifest {
  /** Name of the run, and when it was created: a name may be used again. */
  run: string;
  createdAt: string | null;
  /** The version of GenEnv that wrote it. */
  version: string;
  /** By file name; files of earlier exports stay. */
  files: Record<string, { table: string; rows: number; exportedAt: string }>;
}

const NAME = 'export.json';

/** Makes sure that nothing but our own files can be overwritten, and marks the folder. */
export function claimFolder(folder: string, identity: Omit<Manifest, 'files'>): Manifest {
  const entries = entriesOf(folder);
  const earlier = entries.includes(NAME) ? readManifest(join(folder, NAME)) : undefined;
  const shown = visible(folder);
  if (entries.length > 0 && !earlier) {
    throw new UsageError(`${shown} is not empty and not an earlier export. Choose another folder with --out.`);
  }
  if (earlier && (earlier.run !== identity.run || earlier.createdAt !== identity.createdAt)) {
    throw new UsageError(
      `${shown} holds the export of another run, ${visible(earlier.run)}. Choose another folder with --out.`,
    );
  }
  const manifest = { ...identity, files: earlier?.files ?? {} };
  writeJson(join(folder, NAME), manifest);
  return manifest;
}

export function recordFiles(folder: string, manifest: Manifest, files: readonly ExportedFile[], now: Date): void {
  const exportedAt = now.toISOString();
  const added = files.map(({ file, table, rows }) => [basename(file), { table, rows, exportedAt }]);
  writeJson(join(folder, NAME), { ...manifest, files: { ...manifest.files, ...Object.fromEntries(added) } });
}

function entriesOf(folder: string): string[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) {
    throw new UsageError(`${visible(folder)} is a file. Choose a folder with --out.`);
  }
  return readdirSync(folder);
}

function readManifest(path: string): Manifest | undefined {
  try {
    // Whether it is ours is checked below, field by field.
    const { run, createdAt, version, files } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Manifest>;
    const isOurs = typeof run === 'string' && typeof version === 'string' && typeof files === 'object';
    return isOurs ? { run, createdAt: createdAt ?? null, version, files: files ?? {} } : undefined;
  } catch {
    return undefined;
  }
}
