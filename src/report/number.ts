/** Numbers in words, the same in text, tables and figures. */
import type { Estimate } from './interval.ts';

/** What stands where there is no number. */
export const NONE = '–';

export const orNone = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? NONE : format(value);

const MINUS = '\u2212';

/** A typographic minus, and none before a zero. */
const fixed = (value: number, digits: number): string =>
  value
    .toFixed(digits)
    .replace(/^-(?=0(\.0*)?$)/, '')
    .replace('-', MINUS);

/** A success rate or another share: 0.458. */
export const rate = (value: number): string => fixed(value, 3);

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** With its sign: +0.031. */
export const signed = (value: number): string =>
  (fixed(value, 3) === '0.000' || value < 0 ? '' : '+') + fixed(value, 3);

/** With its sign: +12 %. */
export const signedPercent = (share: number): string =>
  `${Math.round(100 * share) > 0 ? '+' : ''}${fixed(100 * share, 0)} %`;

/** English grouping whatever the locale: beside a decimal point, 1.024 must not mean a thousand. */
export const count = (value: number): string => Math.round(value).toLocaleString('en');

const UNITS: [number, string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Large counts to three digits: 412, 1.23k, 45.6M. */
export function compact(value: number): string {
  const unit = UNITS.find(([size]) => Math.abs(value) >= 0.9995 * size);
  return unit ? `${Number((value / unit[0]).toPrecision(3))}${unit[1]}` : String(Number(value.toPrecision(3)));
}

/** For an axis: no digit more than the tick needs. */
export const tick = (value: number): string =>
  Math.abs(value) >= 10_000 ? compact(value) : String(value).replace('-', MINUS);

/** `9.4s`, `2m05`, `1h00`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return NONE;
  // Rounded first: 119.7 seconds are two minutes, not 1m60.
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole < 10 ? seconds.toFixed(1) : whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${twoDigits(whole % 60)}`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}`;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** `0.458 [0.431, 0.485]`, or the mean alone. */
export const withInterval = (
  { mean, interval }: Pick<Estimate, 'mean' | 'interval'>,
  format: (value: number) => string,
): string => (interval ? `${format(mean)} [${format(interval[0])}, ${format(interval[1])}]` : format(mean));

export const pValue = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));

/** To the minute, in a time zone that is said: a report is read in others. */
export function moment(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 seed`, `2 seeds`. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `a`, `a and b`, `a, b and c`. */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
