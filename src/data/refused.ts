/** What a server or the way to it said instead of sending a file. */

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly retryAfter: string | null;

  constructor(url: string, status: number, retryAfter: string | null) {
    super(`${url} was refused with status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** A range that does not exist is asked for only after a part that does not fit, which is gone by then. */
  get temporary(): boolean {
    return this.status >= 500 || [408, 416, 425, 429].includes(this.status);
  }
}

export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof Refused) || error.retryAfter === null) return undefined;
  const seconds = Number(error.retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(error.retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** In few words; fetch hides what happened behind "fetch failed". */
export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return `the server answered with status ${error.status}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}
