/**
 * Who may steer a run: whoever was told its token. The folder holds a hash of it, and a request carries a proof instead of
 * the token itself, so neither file gives it away.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ControlError } from './errors.ts';

const LEAST_LENGTH = 16;

export const newToken = (): string => randomBytes(18).toString('base64url');

/** A token that was chosen by a person. @throws ControlError */
export function checkToken(token: string): string {
  if (/^[\x21-\x7e]{16,200}$/.test(token)) return token;
  throw new ControlError('token', `A control token is ${LEAST_LENGTH} to 200 visible ASCII characters.`);
}

export const hashToken = (token: string): string =>
  createHash('sha256').update(`genenv control ${token}`).digest('hex');

export const isToken = (token: string, hash: string): boolean => same(hashToken(token), hash);

export const proofOf = (token: string, text: string): string => createHmac('sha256', token).update(text).digest('hex');

export const isProof = (token: string, text: string, proof: string): boolean => same(proofOf(token, text), proof);

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
