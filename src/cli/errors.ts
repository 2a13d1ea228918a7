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
const USAGE = new Set(['UsageError', 'ConfigError', 'TaskFileError']);
const FAILURE = new Set(['StoreError', 'Interrupted']);

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return 130;
  if (USAGE.has(nameOf(error))) return 2;
  // A run that is not there, or a name that is taken, was typed wrongly; a damaged or busy one was not.
  return nameOf(error) === 'StoreError' && ['missing', 'exists'].includes((error as { kind?: string }).kind ?? '')
    ? 2
    : 1;
}

export function report(error: unknown): void {
  const known = USAGE.has(nameOf(error)) || FAILURE.has(nameOf(error));
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(
    `${styleText('red', 'error', { stream: process.stderr })}  ${text.replaceAll('\n', '\n       ')}\n`,
  );
}
