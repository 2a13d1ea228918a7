/** How long to wait before the next attempt. */

const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/** Full jitter: anywhere up to a bound that doubles, so that those who failed together do not return together. */
export const backoffMs = (failures: number, random: number): number =>
  random * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));

/** Seconds or a date; undefined for what is neither. A server that asks for a day means that it is out: the outage limit ends it. */
export function retryAfterMs(header: string, now: number): number | undefined {
  const text = header.trim();
  if (text === '') return undefined;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 24 * 3600_000) : undefined;
}
