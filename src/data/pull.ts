/** All files of a benchmark, from its public sources into its folder. Files that are right already are left alone. */
import type { Dispatcher } from 'undici';
import type { DataFile } from '../benchmarks/data.ts';
import { checkContent, isMade } from './check.ts';
import { download } from './download.ts';

export interface DataSet {
  benchmark: string;
  files: readonly DataFile[];
  /** What is left to do with the files, unpacking an archive say. */
  prepare?(folder: string): Promise<void>;
  /** What comes of that: where these are, the files themselves are no longer needed. */
  made?: readonly string[];
}

export interface PullOptions {
  folder: string;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  /** Bytes of the benchmark that are in place, and the file at hand. */
  onProgress(bytes: number, file: DataFile): void;
  backoffMs?: number;
}

export interface Pulled {
  fetched: number;
  kept: number;
}

export async function pull(set: DataSet, options: PullOptions): Promise<Pulled> {
  const { folder, signal, onProgress } = options;
  const pulled: Pulled = { fetched: 0, kept: 0 };
  let done = 0;
  for (const file of set.files) {
    onProgress(done, file);
    const { state, path } = await checkContent(folder, file, signal);
    if (state === 'present') pulled.kept++;
    else {
      const progress = (bytes: number) => onProgress(done + bytes, file);
      await download(file, path, { ...options, onProgress: progress });
      pulled.fetched++;
    }
    done += file.bytes;
    onProgress(done, file);
  }
  if (pulled.fetched > 0 || !(await isMade(set, folder))) await set.prepare?.(folder);
  return pulled;
}
