/** What every command is given, and how numbers on the command line are read. */
import { UsageError } from './errors.ts';
import { visible } from './visible.ts';

export interface CommonOptions {
  runsDir: string;
  json?: boolean;
  quiet?: boolean;
}

/** A flag's whole number. */
export function wholeNumber(flag: string, text: string, least: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new UsageError(`${flag} must be a whole number from ${least} (got "${visible(text)}").`);
}

/** A flag's number that need not be whole, from 0. */
export function decimalNumber(flag: string, text: string): number {
  const number = /^\d{1,6}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0) return number;
  throw new UsageError(`${flag} must be a number from 0 (got "${visible(text)}").`);
}
