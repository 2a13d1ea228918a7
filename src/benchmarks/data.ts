/** Benchmark data on disk: never part of this package, and never assumed to be there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a benchmark is missing or is not what it should be. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** Reads a file of a benchmark's folder, and says how to get it where it is missing. */
export async function readData(folder: string, file: string, benchmark: string): Promise<string> {
  const path = join(folder, file);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new DataError(
      `${path} is not there. Run: genenv data pull ${benchmark} (or point GENENV_DATA at a folder that has ${benchmark}/${file}).`,
    );
  }
}

/** One JSON value a line; blank lines are skipped. A broken line is named by file and number. */
export async function readJsonLines<T>(folder: string, file: string, benchmark: string): Promise<T[]> {
  const rows: T[] = [];
  let number = 0;
  for (const line of (await readData(folder, file, benchmark)).split('\n')) {
    number++;
    if (line.trim() === '') continue;
    try {
      rows.push(JSON.parse(line) as T);
    } catch {
      throw new DataError(`${join(folder, file)}:${number} is not JSON. Run: genenv data verify ${benchmark}`);
    }
  }
  return rows;
}

/** A file that a benchmark needs, where it comes from, and what it must be. Paths are relative to the benchmark's folder. */
export interface DataFile {
  path: string;
  /** Pinned to a commit or release. */
  url: string;
  bytes: number;
  sha256: string;
}
