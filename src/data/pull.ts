/** All files of a benchmark, from its public sources into its folder. Files that are right already are left alone. */
import type { Dispatcher } from 'undici';
import type { DataFile } from '../benchmarks/data.ts';
import { checkContent } from './check.ts';
import { download } from './download.ts';

export interface DataSet {
  benchmark: string;
  files: readonly DataFile[];
  /** What is left to do with the files, unpacking an archive say; called whenever all of them are there. */
  prepare?(folder: string): Promise<void>;
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

export async function pull({ files, prepare }: DataSet, options: PullOptions): Promise<Pulled> {
  const { folder, signal, onProgress } = options;
  const pulled: Pulled = { fetched: 0, kept: 0 };
  let done = 0;
  for (const file of files) {
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
  await prepare?.(folder);
  return pulled;
}
