/** An HTTP answer that is no success, as a fault with what the server said about it. */
import { type FaultKind, ServerFault } from './fault.ts';
import { retryAfterMs } from './retry.ts';

export interface HttpAnswer {
  status: number;
  contentType: string;
  retryAfter: string;
  location: string;
  text: string;
}

/** `now` is the time of day, for a Retry-After that is a date. */
export function faultOf(answer: HttpAnswer, now: number): ServerFault {
  const { status, location } = answer;
  const said = saidIn(answer);
  const kind = kindOf(status, said);
  const target = location === '' ? '' : ` and points to ${clip(location)}`;
  const message = `the server answered ${status}${target}${said === '' ? '' : `: ${said}`}`;
  return new ServerFault(kind, message, { status, retryAfterMs: retryAfterMs(answer.retryAfter, now) });
}

function kindOf(status: number, said: string): FaultKind {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 402:
      return 'outOfCredit';
    case 403:
      // A text that a filter objects to is that text's trouble, not the key's.
      return /flagged|moderation/i.test(said) ? 'refused' : 'unauthorized';
    case 404:
    case 405:
    case 410:
      return 'notFound';
    case 408:
    case 425:
      return 'unavailable';
    case 429:
      // Hosted services say so with the status of a rate limit, though no waiting helps.
      return /insufficient_quota|exceeded your current quota/i.test(said) ? 'outOfCredit' : 'busy';
    case 503:
    case 529:
      return 'busy';
    case 502:
    case 504:
      return 'unavailable';
    default:
      return status >= 500 ? 'serverError' : 'refused';
  }
}

/** The server's own words: `error.message` and its code, `detail`, `message`, or the start of whatever it sent. */
function saidIn({ text, contentType }: HttpAnswer): string {
  if (looksLikeHtml(text, contentType)) return 'an HTML page, so something else than the model answers there';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return clip(text);
  }
  return errorWords(asRecord(body)) || clip(text);
}

/** What a body says about an error, where it says anything. */
export function errorWords(body: Record<string, unknown> | undefined): string {
  const error = body?.error;
  const inner = asRecord(error);
  const words = [error, inner?.message, inner?.code, inner?.type, body?.detail, body?.message].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
  return clip([...new Set(words)].join(', '));
}

export const looksLikeHtml = (text: string, contentType: string): boolean =>
  contentType.startsWith('text/html') || /^\s{0,20}<(?:!doctype|html)/i.test(text.slice(0, 60));

export const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** One line, short, and unable to drive a terminal. */
export const clip = (text: string): string => {
  const line = text
    .slice(0, 400)
    .replace(/\p{C}+|\s+/gu, ' ')
    .trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
};
