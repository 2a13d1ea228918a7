/**
 * Who may ask, and what a browser may do with the answer. The server is meant for the person at this machine: other sites in
 * the same browser, and names that are made to point here (DNS rebinding), are kept out, and off loopback a token is needed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export const newToken = (): string => randomBytes(24).toString('base64url');

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Scripts and styles of our own, and nothing from anywhere else; nobody may frame the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
};

/** Nothing here can be changed, so nothing but reading is answered; where runs may be steered, posting to that one path is. */
export function readOnly(posts?: RegExp): MiddlewareHandler {
  return async (c, next) => {
    const { method, path } = c.req;
    const mayPost = posts?.test(path) ?? false;
    if (method === 'GET' || method === 'HEAD' || (method === 'POST' && mayPost)) return next();
    c.header('Allow', mayPost ? 'GET, HEAD, POST' : 'GET, HEAD');
    return c.json({ error: `This server only answers questions: GET and HEAD${mayPost ? ', and POST' : ''}.` }, 405);
  };
}

/** The name in a Host header: no port, no brackets. */
export function hostName(header: string | undefined): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return match ? (match[1] ?? match[2] ?? '').toLowerCase() : null;
}

/**
 * A page that made its own name point to this machine sends that name. Addresses can't be pointed anywhere, and off
 * loopback they are how people come.
 */
export function knownHost(bound: string): MiddlewareHandler {
  const names = new Set(['localhost', bound.toLowerCase(), ...(isLoopback(bound) ? [] : [hostname().toLowerCase()])]);
  const isKnown = (name: string) => names.has(name) || isLoopback(name) || (!isLoopback(bound) && isIP(name) !== 0);
  return async (c, next) => {
    const name = hostName(c.req.header('host'));
    if (name !== null && isKnown(name)) return next();
    return c.json({ error: 'This name does not belong to the dashboard. Open it by the address it printed.' }, 403);
  };
}

/** Answers are for our own page: another site in the same browser gets none, even those it could not read. */
export const sameSite: MiddlewareHandler = async (c, next) => {
  const from = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const foreign = origin !== undefined && hostOf(origin) !== c.req.header('host');
  if ((from === undefined || from === 'same-origin' || from === 'none') && !foreign) return next();
  return c.json({ error: 'Only the dashboard itself may ask.' }, 403);
};

/** For what is more than a question: the browser itself must say that it comes from our page. */
export const ownPage: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin');
  const from = c.req.header('sec-fetch-site') ?? 'same-origin';
  if (origin !== undefined && hostOf(origin) === c.req.header('host') && from === 'same-origin') return next();
  return c.json({ error: 'Only the dashboard itself may do that.' }, 403);
};

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

const COOKIE = 'genenv-token';

/** A link with `?token=…` opens the door once; a cookie that scripts can't read keeps it open. */
export function needToken(token: string): MiddlewareHandler {
  return async (c, next) => {
    const given = c.req.query('token');
    if (given !== undefined && same(given, token)) {
      setCookie(c, COOKIE, token, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 30 * 24 * 3600 });
      return c.redirect(withoutToken(c), 303);
    }
    const shown = bearer(c) ?? getCookie(c, COOKIE);
    if (shown !== undefined && same(shown, token)) return next();
    return c.text('A token is needed. Open the link that `genenv ui` printed.\n', 401);
  };
}

const bearer = (c: Context) => /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1];

function withoutToken(c: Context): string {
  const url = new URL(c.req.url);
  url.searchParams.delete('token');
  // A path alone: the answer must not send anybody to another place, not even `//evil`.
  return `/${url.pathname.replace(/^\/+/, '')}${url.search}`;
}

const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();
