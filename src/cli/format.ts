/** Numbers, times and places in words, the same in every table. */
import type { Cursor } from '../core/journal.ts';

/** What is shown where there is no number. */
export const NONE = '–';

export const decimal = (value: number | null | undefined, digits = 2): string => value?.toFixed(digits) ?? NONE;

export const percent = (share: number | null | undefined): string =>
  share === null || share === undefined ? NONE : `${Math.round(100 * share)} %`;

/** English grouping whatever the locale: beside a decimal point, 1.024 must not mean a thousand. */
export const count = (value: number): string => value.toLocaleString('en');

/** `1 rollout`, `2 rollouts`. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

export const fromTo = ({ first, last }: { first: number | null; last: number | null }): string =>
  first === null || last === null ? NONE : `${decimal(first)} → ${decimal(last)}`;

/** In the reader's own way on a terminal, where nobody parses it; ISO elsewhere. */
export function moment(iso: string | null): string {
  const date = new Date(iso ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return NONE;
  return process.stdout.isTTY
    ? date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
    : date.toISOString();
}

/** Where a run stands, in few words: `epoch 4 rollout`, `end of epoch 3`. */
export function place(cursor: Cursor | null): string {
  if (!cursor) return 'start';
  const { epoch, phase, done, units } = cursor;
  return phase === 'aggregate' && done >= units ? `end of epoch ${epoch}` : `epoch ${epoch} ${phase}`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function fileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
