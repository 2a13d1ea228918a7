/** What tests of the client share: patience that is over soon, and a chat of single ids. */
import type { ChatTokens, Times } from './settings.ts';

export const QUICK: { maxOutageSeconds: number; times: Partial<Times>; env: Record<string, string> } = {
  maxOutageSeconds: 5,
  times: { call: 2000, poll: 2000, heartbeat: 50, backoff: [2, 20] },
  env: {},
};

export const END = 1;

/** A letter is its place in the alphabet, after two ids of their own: one opens a reply, one ends it. */
export const letterChat: ChatTokens = {
  ends: [END],
  prompt: (messages) =>
    Int32Array.from([...messages.flatMap(({ content, tokens }) => (tokens ? [...tokens] : [...content].map(idOf))), 2]),
  decode: (ids) => Array.from(ids, (id) => (id > 2 ? String.fromCharCode(94 + id) : '')).join(''),
};

const idOf = (letter: string) => 3 + ((letter.charCodeAt(0) - 97 + 260) % 20);
