/** The key: read from the environment, sent to the server, and kept out of every text. */
import { EngineStopped } from '../../core/engine.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Key {
  readonly headers: Readonly<Record<string, string>>;
  readonly isSet: boolean;
  /** The same text without the key, or any word that holds one of its ends: servers like to quote a part of it. */
  redact(text: string): string;
}

/** Below this length a word is too common to be taken for a part of a key. */
const LEAST_PART = 12;
const HIDDEN = '[hidden]';

export function readKey(name: string, env: Environment): Key {
  const key = env[name]?.trim() ?? '';
  if (!/^[\x20-\x7e]*$/.test(key)) {
    throw new EngineStopped(`${name} holds a character that no header can carry, a line break perhaps. Set it again.`);
  }
  const ends = key.length >= LEAST_PART ? [key.slice(0, 8), key.slice(-6)] : [];
  return {
    headers: key === '' ? {} : { 'x-api-key': key },
    isSet: key !== '',
    redact(text) {
      const whole = key.length >= 4 ? text.replaceAll(key, HIDDEN) : text;
      if (!ends.some((end) => whole.includes(end))) return whole;
      return whole.replace(/[^\s"'`,;:()]+/g, (word) => (ends.some((end) => word.includes(end)) ? HIDDEN : word));
    },
  };
}
