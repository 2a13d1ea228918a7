/** A file to fetch, and what tells that it has arrived whole: its checksum, or the id git gives small files of a repository. */
import { createHash } from 'node:crypto';
import type { DataFile } from '../benchmarks/data.ts';
import { hashFile, sizeOf } from './check.ts';

export type KnownFile = Pick<DataFile, 'path' | 'url' | 'bytes'> & ({ sha256: string } | { gitBlob: string });

export const wanted = (file: KnownFile): string => ('sha256' in file ? file.sha256 : file.gitBlob);

/** What is there, to be compared with what is wanted. */
export async function checksum(path: string, file: KnownFile, signal?: AbortSignal): Promise<string> {
  if ('sha256' in file) return (await hashFile(path, signal)).digest('hex');
  const git = createHash('sha1').update(`blob ${(await sizeOf(path)) ?? 0}\0`);
  return (await hashFile(path, signal, git)).digest('hex');
}
