/** Errors as a person at a terminal should see them: what, where, what to do; a stack only for our own mistakes. */
import { styleText } from 'node:util';

/** Something the user must change in what was typed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The user pressed Ctrl-C; everything committed is safe. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Errors whose message is written for users. Known by name, so that reporting one does not load the module it is from. */
const USAGE = new Set(['UsageError', 'ConfigError', 'TaskFileError', 'RecordingError', 'CompareError']);
const FAILURE = new Set(['StoreError', 'EngineError', 'EngineStopped', 'Interrupted']);

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return 130;
  if (USAGE.has(nameOf(error))) return 2;
  // A run that is not there, or a name that is taken, was typed wrongly; a damaged or busy one was not.
  return nameOf(error) === 'StoreError' && ['missing', 'exists'].includes((error as { kind?: string }).kind ?? '')
    ? 2
    : 1;
}

/** What the operating system refused, and what to do about it. */
const SYSTEM: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space and go on; what was committed is safe.',
  EDQUOT: 'The disk quota is used up. Free some space and go on; what was committed is safe.',
  EACCES: 'Permission was denied. Check who owns the folder.',
  EPERM: 'Permission was denied. Check who owns the folder.',
  EROFS: 'The folder is on a read-only file system. Choose another with --runs-dir.',
  ENOTDIR: 'A part of the path is a file, not a folder.',
  EMFILE: 'Too many files are open. Raise the limit (ulimit -n).',
};

function systemAdvice(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && 'syscall' in error ? SYSTEM[String(error.code)] : undefined;
}

export function report(error: unknown): void {
  const advice = systemAdvice(error);
  const known = USAGE.has(nameOf(error)) || FAILURE.has(nameOf(error)) || advice !== undefined;
  const said = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  const text = advice === undefined ? said : `${advice}\n${said}`;
  process.stderr.write(
    `${styleText('red', 'error', { stream: process.stderr })}  ${text.replaceAll('\n', '\n       ')}\n`,
  );
}
