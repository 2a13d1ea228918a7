/** Who may talk to the server: those with the key, and only under a name the server goes by. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from './refusal.ts';

export interface Access {
  /** What X-API-Key must be. */
  key: string;
  /** The address the server listens on. */
  host: string;
  /** More names it goes by. */
  allowedHosts: readonly string[];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const ANY = new Set(['0.0.0.0', '::', '[::]']);

export const isLoopback = (host: string): boolean => LOOPBACK.has(host) || /^127\./.test(host);

export function checkAccess(request: IncomingMessage, { key, host, allowedHosts }: Access): void {
  checkHost(request.headers.host, { host, allowedHosts });
  const given = request.headers['x-api-key'];
  if (typeof given !== 'string' || given === '') throw new Refusal(401, 'A key is required: send it as X-API-Key.');
  // Digests have one length, so that the comparison tells nothing about the key.
  if (!timingSafeEqual(digest(given), digest(key))) throw new Refusal(401, 'The key is not the one of this server.');
}

/** A page in a browser can be made to talk to loopback under a name of its own; that name is in the Host header. */
export function checkHost(header: string | undefined, { host, allowedHosts }: Omit<Access, 'key'>): void {
  const name = (header ?? '').replace(/:\d+$/, '').toLowerCase();
  const literal = name.replace(/^\[|\]$/g, '');
  const known =
    LOOPBACK.has(name) ||
    name === host.toLowerCase() ||
    allowedHosts.some((allowed) => allowed.toLowerCase() === name) ||
    (ANY.has(host) && isIP(literal) !== 0);
  if (!known) {
    throw new Refusal(403, `This server does not go by the name "${name.slice(0, 100)}": allow it with --allow-host.`);
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
