/** Times as the reader's own locale writes them. */

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** A date that is none is shown as it is. */
export function moment(value: string | number): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? String(value) : MOMENT.format(at);
}

export const clock = (ms: number): string => CLOCK.format(new Date(ms));

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function ago(ms: number, now: number = Date.now()): string {
  const seconds = Math.min(0, (ms - now) / 1000);
  const [unit, size] = UNITS.find(([, size]) => -seconds >= size) ?? ['second', 1];
  return RELATIVE.format(Math.round(seconds / size), unit);
}
