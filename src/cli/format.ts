/** Numbers, times and places in words, the same in every table, and where the report has such numbers the same as there. */
import type { Cursor } from '../core/journal.ts';
import { percent as inPercent, NONE, orNone } from '../report/number.ts';

export { compact, count, counted, duration, NONE } from '../report/number.ts';

export const decimal = (value: number | null | undefined, digits = 2): string => value?.toFixed(digits) ?? NONE;

export const percent = (share: number | null | undefined): string => orNone(share, inPercent);

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
