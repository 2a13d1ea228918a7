/** Files of the data set, read synchronously: a world judges without waiting, and each is read once, in milliseconds. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../core/types.ts';
import { DataError } from '../data.ts';

export const hasFile = (folder: string, file: string): boolean => existsSync(join(folder, file));

/** One JSON object a line. */
export function readLines(folder: string, file: string): JsonObject[] {
  return readText(folder, file)
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as JsonObject];
      } catch {
        throw new DataError(`${join(folder, file)}:${i + 1} is not JSON. Run: genenv data verify travelplanner`);
      }
    });
}

/** A whole file; where it is missing, how to get it. */
export function readText(folder: string, file: string): string {
  const path = join(folder, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new DataError(
      `${path} is not there. Run: genenv data pull travelplanner (or point GENENV_DATA at a folder that has travelplanner/${file}).`,
    );
  }
}
