/** What is wrong with a configuration: every problem with its place, in the order a reader meets them. */

export interface Problem {
  /** `run.yaml:3:3`, `--set curriculum.betta=1` or `--epochs x`. */
  place: string;
  /** The setting, or '' where the problem is the file's. */
  path: string;
  message: string;
}

/** What the user must fix before a run can start; the command line exits with 2 on it. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problemText(problems));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

function problemText(problems: readonly Problem[]): string {
  const shown = problems.slice(0, 50);
  const width = Math.min(60, Math.max(0, ...shown.map(({ place }) => place.length)));
  const lines = shown.map(({ place, message }) => `${place.padEnd(width)} ${message}`);
  if (problems.length > shown.length) lines.push(`and ${problems.length - shown.length} more`);
  return lines.join('\n');
}

/** Where something was written, and its rank among all places: the file from top to bottom, then the command line. */
export interface Place {
  label: string;
  rank: number;
}

/** Where gathering stops: a file with a hundred problems is not a configuration. */
export const enough = 100;

/** A problem while they are still being gathered: all are told at once, in the order of their places. */
export interface Finding {
  place: Place;
  path: string;
  message: string;
}

export function configError(findings: readonly Finding[]): ConfigError {
  const inOrder = findings.toSorted((a, b) => a.place.rank - b.place.rank);
  return new ConfigError(
    inOrder.map(({ place, path, message }) => ({
      place: printable(place.label),
      path: printable(path),
      message: printable(message),
    })),
  );
}

/** A value as it may be repeated in a message: short, on one line, and unable to drive a terminal. */
export function show(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  const text = typeof value === 'string' ? JSON.stringify(shorten(value)) : String(value);
  return printable(text);
}

export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Control, format and unpaired characters as escapes: text from a file must not reach a terminal as it is. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
