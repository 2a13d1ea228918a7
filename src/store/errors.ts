/** What can go wrong with a run's file, said so that a person knows what to do next. */

export type StoreErrorKind =
  | 'missing'
  | 'exists'
  | 'locked'
  | 'newer'
  | 'older'
  | 'corrupt'
  | 'full'
  | 'unwritable'
  | 'invalid'
  | 'closed';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** SQLite's primary result codes; extended ones carry them in the low byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const MISMATCH = 20;
const NOTADB = 26;

/** Names what SQLite's code means for the run; anything unforeseen passes through unchanged. */
export function explain(error: unknown, file: string): unknown {
  const said = error instanceof Error ? error.message : String(error);
  const as = (kind: StoreErrorKind, message: string) => new StoreError(kind, message, error);
  switch (primaryCode(error)) {
    case FULL:
      return as(
        'full',
        `The disk is full: ${file} could not grow. The step being written was rolled back and every earlier one is ` +
          'safe. Free some space, then resume the run.',
      );
    case NOTADB:
    case CORRUPT:
      return as(
        'corrupt',
        `${file} is damaged or not a GenEnv run (${said}). Restore it from a copy, or start a run under another name.`,
      );
    case BUSY:
    case LOCKED:
      return as('locked', `${file} is in use by another process (${said}). Wait for it or stop it, and try again.`);
    case READONLY:
    case IOERR:
    case CANTOPEN:
      return as(
        'unwritable',
        `${file} could not be read or written (${said}). Check the disk and the permissions of its folder.`,
      );
    case CONSTRAINT:
    case MISMATCH:
      return as('invalid', `Refused to store this step in ${file}: ${said}. Nothing of it was written.`);
    default:
      return error;
  }
}

function primaryCode(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode & 0xff;
  // A failure to open has no code of its own.
  return error.message.startsWith('ConnectionFailed') ? CANTOPEN : 0;
}
