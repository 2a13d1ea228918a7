/** Whether the files of a benchmark are there and are what they should be. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFile } from '../benchmarks/data.ts';
import type { DataSet } from './pull.ts';

export type FileState = 'present' | 'missing' | 'wrong';

export interface CheckedFile {
  file: DataFile;
  path: string;
  state: FileState;
  /** What is wrong with it. */
  problem?: string;
}

/** By size alone where that is right, which a list can afford. */
export async function checkSize(folder: string, file: DataFile): Promise<CheckedFile> {
  const path = join(folder, file.path);
  const bytes = await sizeOf(path);
  if (bytes === undefined) return { file, path, state: 'missing', problem: 'is not there' };
  if (bytes === file.bytes || (bytes > file.bytes && (await hasOtherLineEnds(path, bytes, file)))) {
    return { file, path, state: 'present' };
  }
  return { file, path, state: 'wrong', problem: `has ${bytes} bytes, not ${file.bytes}` };
}

/** Larger files are archives, not text. */
const LARGEST_TEXT = 1 << 26;

/** A copy from a working tree on Windows: the same lines, ended by CR LF. */
async function hasOtherLineEnds(path: string, bytes: number, file: DataFile): Promise<boolean> {
  if (bytes > LARGEST_TEXT) return false;
  // Byte for byte, whatever the encoding.
  const text = (await readFile(path, 'latin1')).replaceAll('\r\n', '\n');
  return text.length === file.bytes && createHash('sha256').update(text, 'latin1').digest('hex') === file.sha256;
}

/** By content. */
export async function checkContent(folder: string, file: DataFile, signal?: AbortSignal): Promise<CheckedFile> {
  const checked = await checkSize(folder, file);
  if (checked.state !== 'present' || (await sizeOf(checked.path)) !== file.bytes) return checked;
  const found = (await hashFile(checked.path, signal)).digest('hex');
  return found === file.sha256 ? checked : { ...checked, state: 'wrong', problem: `has the checksum ${found}` };
}

/** Whether what is made from the files is there; for data that is used as it comes there is nothing to make. */
export async function isMade({ made = [] }: Pick<DataSet, 'made'>, folder: string): Promise<boolean> {
  const sizes = await Promise.all(made.map((path) => sizeOf(join(folder, path))));
  return sizes.every((bytes) => bytes !== undefined);
}

/** Undefined where there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

export async function hashFile(path: string, signal?: AbortSignal, hash: Hash = createHash('sha256')): Promise<Hash> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal ? { signal } : {}) })) {
    hash.update(chunk as Buffer);
  }
  return hash;
}
