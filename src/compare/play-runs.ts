/**
 * Plays the runs of a plan, some at a time, each in a process of its own. A run that fails is an outcome with a reason and
 * does not hold up the others; one that was begun before goes on where it stood.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '../core/content-id.ts';
import type { Json } from '../core/types.ts';
import { mapPool } from '../policies/map-pool.ts';
import { createRunFolder, type Signals, type TrainEvent } from '../run.ts';
import { isBeingWritten, openReader, StoreError } from '../store/index.ts';
import { completedEpochs } from '../summary.ts';
import type { PlannedRun } from './plan.ts';

export type RunOutcome =
  /** `kept` runs had been finished before. */
  | { run: PlannedRun; status: 'finished'; kept: boolean }
  | { run: PlannedRun; status: 'failed'; reason: string }
  | { run: PlannedRun; status: 'stopped' };

export interface PlayOptions extends Signals {
  /** Runs at a time. */
  parallel: number;
  /** What the run at hand says of itself. */
  onEvent(run: PlannedRun, event: TrainEvent): void;
  /** Another process is writing the run, perhaps one that outlived a killed comparison by a step. */
  onWait(run: PlannedRun): void;
  onOutcome(outcome: RunOutcome): Promise<void> | void;
}

export function playRuns(runs: readonly PlannedRun[], options: PlayOptions): Promise<RunOutcome[]> {
  // Every run at hand listens to them: that is no leak.
  setMaxListeners(0, options.stop, options.signal);
  return mapPool(runs, options.parallel, async (run) => {
    const outcome = await playRun(run, options).catch(
      (error: unknown): RunOutcome => ({ run, status: 'failed', reason: reasonOf(error) }),
    );
    await options.onOutcome(outcome);
    return outcome;
  });
}

async function playRun(run: PlannedRun, options: PlayOptions): Promise<RunOutcome> {
  if (options.stop.aborted) return { run, status: 'stopped' };
  await untilFree(run, options);
  if (options.stop.aborted) return { run, status: 'stopped' };
  makeRun(run);
  const { finished: kept } = standing(run);
  if (kept) return { run, status: 'finished', kept };
  const { code, signal, errors } = await resumeInChild(run, options);
  if (code === 0 && standing(run).finished) return { run, status: 'finished', kept };
  if (options.stop.aborted) return { run, status: 'stopped' };
  return { run, status: 'failed', reason: errors || `its process ended with ${signal ?? `exit code ${code}`}` };
}

/** A folder with a run that has not begun; none is made where there is one. */
function makeRun({ folder, config }: PlannedRun): void {
  try {
    createRunFolder(folder, config);
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'exists')) throw error;
  }
}

const POLL_MS = 500;

async function untilFree(run: PlannedRun, { stop, onWait }: PlayOptions): Promise<void> {
  if (!isBeingWritten(run.folder)) return;
  onWait(run);
  while (isBeingWritten(run.folder) && !stop.aborted) await setTimeout(POLL_MS);
}

/** How far a run is. A run that somebody trained further, or with other settings, is none of this comparison. */
function standing({ run, folder, config }: PlannedRun): { finished: boolean } {
  using reader = openReader(folder);
  // How many requests are in flight changes no result, and a resume may choose it anew.
  const settings = (value: object) => canonicalJson({ ...value, concurrency: 0 } as Json);
  if (settings(reader.meta().config as object) !== settings(config)) {
    throw new Error(`${run} was given other settings than the plan's. Move its folder away and run the same command.`);
  }
  return { finished: completedEpochs(reader) >= config.epochs };
}

/** Works from the sources too, where only the compiled program can be started. */
const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  errors: string;
}

/**
 * A new run is one that resumes from nothing, so there is one way to play. The child leads a process group of its own:
 * Ctrl-C in a terminal reaches this process alone, which passes it on. If this process dies, the child does at its next
 * event, when it finds its pipe closed.
 */
function resumeInChild(run: PlannedRun, { stop, signal, onEvent }: PlayOptions): Promise<Ended> {
  const args = [PROGRAM, 'resume', run.run, '--runs-dir', dirname(run.folder), '--json', '--quiet'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const interrupt = () => child.kill('SIGINT');
  stop.addEventListener('abort', interrupt);
  signal.addEventListener('abort', interrupt);
  createInterface(child.stdout).on('line', (line) => onEvent(run, JSON.parse(line) as TrainEvent));
  return ended(child).finally(() => {
    stop.removeEventListener('abort', interrupt);
    signal.removeEventListener('abort', interrupt);
  });
}

/** Of what a child complains about, as much as a person reads. */
const MOST_CHARACTERS = 2000;

function ended(child: ChildProcess): Promise<Ended> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MOST_CHARACTERS);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, errors: withoutLabel(errors) }));
  });
}

/** The child prints an error as `error  what it is`, further lines indented as far. */
const withoutLabel = (errors: string) =>
  errors
    .trim()
    .replace(/^error {2}/, '')
    .replaceAll('\n       ', '\n');

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
