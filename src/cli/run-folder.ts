/** From the name of a run, as typed, to its folder. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closest } from '../config/suggest.ts';
import { hasRun } from '../store/index.ts';
import { UsageError } from './errors.ts';

import { command } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { visible } from './visible.ts';

export interface RunFolder {
  run: string;
  folder: string;
}

/** What a run's folder holds beside its database: enough to know one that has lost it. */
const TRACES_OF_A_RUN = ['run.sqlite', 'run.lock', 'checkpoints'];

/** The run folders in the runs folder, damaged ones included, by name. */
export function runFolders(runsDir: string): RunFolder[] {
  if (!existsSync(runsDir)) return [];
  return readdirSync(runsDir)
    .map((run) => ({ run, folder: join(runsDir, run) }))
    .filter(({ folder }) => TRACES_OF_A_RUN.some((name) => existsSync(join(folder, name))));
}

/** `runsDir` is where it was found, for the commands to type next. */
export function findRun(run: string, options: CommonOptions): RunFolder & { runsDir: string } {
  const { runsDir } = options;
  const folder = join(runsDir, run);
  // A shell completes the path of a folder, not the name of a run.
  if (/[/\\]/.test(run) && hasRun(run)) return { run: basename(run), folder: run, runsDir: dirname(run) };
  // Where something is there but no database, the store says so.
  if (run !== '' && existsSync(folder)) return { run: basename(folder), folder, runsDir: dirname(folder) };
  throw new UsageError(`There is no run "${visible(run)}" in ${visible(runsDir)}. ${whatToType(run, options)}`);
}

function whatToType(run: string, options: CommonOptions): string {
  const names = runFolders(options.runsDir).map((found) => found.run);
  const starting = names.filter((name) => run !== '' && name.startsWith(run));
  const near = starting.length === 1 ? starting[0] : closest(run, names);
  if (near !== undefined) return `Did you mean "${visible(near)}"?`;
  return names.length === 0
    ? `That folder holds no runs yet; start one with: ${command(options, 'train')}`
    : `List them with: ${command(options, 'runs')}`;
}
