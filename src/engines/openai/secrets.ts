/** The key and other secrets: read from the environment, sent to the server, and kept out of every text. */
import { EngineStopped } from '../../core/engine.ts';
import type { OpenAiSettings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Secrets {
  /** Header names and values in turn, ready to send. */
  readonly headers: string[];
  readonly hasKey: boolean;
  /** The same text without any secret in it. */
  redact(text: string): string;
  /** For words about a refusal, in which servers like to quote a part of the key. */
  redactParts(text: string): string;
}

/** Below this length a word is too common to be taken for a part of a key. */
const LEAST_PART = 12;

export function readSecrets(
  { keyEnv, headers }: Pick<OpenAiSettings, 'keyEnv' | 'headers'>,
  env: Environment,
): Secrets {
  const key = sendable(env[keyEnv]?.trim() ?? '', keyEnv);
  const sent = ['content-type', 'application/json', 'accept', 'application/json'];
  if (key !== '') sent.push('authorization', `Bearer ${key}`);
  const hidden = key === '' ? [] : [key];
  for (const [name, value] of Object.entries(headers)) {
    if (!value.startsWith('$')) {
      sent.push(name, value);
      continue;
    }
    const found = env[value.slice(1)]?.trim();
    if (!found) throw new EngineStopped(`The header ${name} is read from ${value}, which is not set. Set it.`);
    sent.push(name, sendable(found, value.slice(1)));
    hidden.push(found);
  }
  // Longest first: one secret may be a part of another.
  const secrets = hidden.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  const redact = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  const ends = secrets.filter(({ length }) => length >= LEAST_PART).flatMap((s) => [s.slice(0, 6), s.slice(-4)]);
  return {
    headers: sent,
    hasKey: key !== '',
    redact,
    redactParts: (text) => {
      const whole = redact(text);
      if (!ends.some((end) => whole.includes(end))) return whole;
      return whole.replace(/[^\s"'`,;:()]+/g, (word) => (ends.some((end) => word.includes(end)) ? HIDDEN : word));
    },
  };
}

const HIDDEN = '[hidden]';

/** Header values are visible ASCII; anything else in a key is a slip of copy and paste. */
function sendable(value: string, name: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  throw new EngineStopped(`${name} holds a character that no header can carry, a line break perhaps. Set it again.`);
}
