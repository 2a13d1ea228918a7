/**
 * The runs under a folder, by id. Ids come from what is on disk and are only ever looked up: nothing a visitor types becomes
 * a path. A comparison keeps its runs one folder deeper, so `ablation/genenv-101` is an id too.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasRun, openReader, type RunReader } from '../store/index.ts';
import { openRunState, type RunState } from './run-state.ts';
import { type SeriesCache, seriesCache } from './series-cache.ts';

/** A run that somebody looks at: its reader, and what was read of it so far. */
export interface OpenRun {
  id: string;
  /** Another number every time a run is opened: versions of one opening say nothing of another. */
  opened: number;
  reader: RunReader;
  state: RunState;
  series: SeriesCache;
}

export interface RunIndex extends Disposable {
  readonly runsDir: string;
  /** Every folder that looks like a run, damaged ones included. */
  ids(): string[];
  /** Kept open between questions; null where there is no such run. Throws what the store says of a damaged one. */
  open(id: string): OpenRun | null;
  /** When the run's file was last written. */
  writtenAt(id: string): number | null;
}

/** What a run's folder holds beside its database: enough to know one that has lost it. */
const TRACES_OF_A_RUN = ['run.sqlite', 'run.lock', 'checkpoints'];
const COMPARISON = 'compare.json';
const FRESH_MS = 1000;
const MOST_OPEN = 32;

export function openRunIndex(runsDir: string): RunIndex {
  let folders = new Map<string, string>();
  let scannedAt = Number.NEGATIVE_INFINITY;
  let openings = 0;
  const open = new Map<string, { run: OpenRun; inode: number }>();

  const scan = () => {
    if (performance.now() - scannedAt > FRESH_MS) {
      folders = findRuns(runsDir);
      scannedAt = performance.now();
    }
    return folders;
  };
  /** A run made a moment ago is found too. */
  const folderOf = (id: string) => {
    const known = scan().get(id);
    if (known !== undefined) return known;
    folders = findRuns(runsDir);
    return folders.get(id);
  };
  const forget = (id: string) => {
    open.get(id)?.run.reader[Symbol.dispose]();
    open.delete(id);
  };

  const writtenAt = (id: string) => {
    const folder = folderOf(id);
    if (folder === undefined) return null;
    const last = Math.max(...['run.sqlite', 'run.sqlite-wal'].map((name) => modified(join(folder, name))));
    return last > 0 ? last : null;
  };

  return {
    runsDir,
    writtenAt,
    ids: () => [...scan().keys()],
    open(id) {
      const folder = folderOf(id);
      if (folder === undefined) return null;
      const inode = hasRun(folder) ? statSync(join(folder, 'run.sqlite')).ino : -1;
      const known = open.get(id);
      // Another run under the same name: the open file is one that was deleted.
      if (known && known.inode !== inode) forget(id);
      const reader = known?.inode === inode ? known.run.reader : openReader(folder);
      const run =
        known?.inode === inode
          ? known.run
          : {
              id,
              opened: ++openings,
              reader,
              state: openRunState(id, reader, () => writtenAt(id)),
              series: seriesCache(reader),
            };
      // Most recently used last.
      open.delete(id);
      open.set(id, { run, inode });
      for (const [oldest] of open) {
        if (open.size <= MOST_OPEN) break;
        forget(oldest);
      }
      return run;
    },
    [Symbol.dispose]: () => {
      for (const id of [...open.keys()]) forget(id);
    },
  };
}

const modified = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const looksLikeARun = (folder: string) => TRACES_OF_A_RUN.some((name) => existsSync(join(folder, name)));

function findRuns(runsDir: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of list(runsDir)) {
    const folder = join(runsDir, name);
    if (looksLikeARun(folder)) found.set(name, folder);
    else if (existsSync(join(folder, COMPARISON))) {
      for (const inner of list(folder)) {
        const run = join(folder, inner);
        if (looksLikeARun(run)) found.set(`${name}/${inner}`, run);
      }
    }
  }
  return found;
}

/** Folders only; none where the folder itself is missing or may not be read. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}
