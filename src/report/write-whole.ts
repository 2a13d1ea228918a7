/** Files that appear whole or not at all. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Written beside its place, flushed, then renamed: whoever reads the name sees all of it or the old one, even after a kill. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Two processes may write the same name at once; each renames what is its own.
  const partial = `${path}.${process.pid}.part`;
  try {
    const file = openSync(partial, 'w');
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** For people as much as for programs. */
export const writeJson = (path: string, value: unknown): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
