/** What tests of the client share: patience that is over soon, and a chat of single ids. */
import type { Datum } from '../../core/engine.ts';
import type { ChatTokens, Times } from './settings.ts';

export const QUICK: { maxOutageSeconds: number; times: Partial<Times>; env: Record<string, string> } = {
  maxOutageSeconds: 5,
  times: { call: 2000, poll: 2000, heartbeat: 50, backoff: [2, 20] },
  env: {},
};

export const END = 1;

/** A letter is its place in the alphabet, after two ids of their own: one opens a reply, one ends it. */
export const letterChat: ChatTokens = {
  stops: [END],
  prompt: (messages) =>
    Int32Array.from([...messages.flatMap(({ content, tokens }) => (tokens ? [...tokens] : [...content].map(idOf))), 2]),
  read(tokens) {
    const text = Array.from(tokens, (id) => (id > 2 ? String.fromCharCode(94 + id) : '')).join('');
    return { content: text, rest: text, calls: [] };
  },
};

const idOf = (letter: string) => 3 + ((letter.charCodeAt(0) - 97 + 260) % 20);

/** A sequence with weights, credit, old and reference log-probs after its prompt. */
export function datum(tokens: number[], prompt: number, credit: number): Datum {
  const fill = (value: (t: number) => number) => Float32Array.from(tokens, (_, t) => (t < prompt ? 0 : value(t)));
  return {
    tokens: Int32Array.from(tokens),
    weights: fill(() => 0.1),
    advantages: fill(() => credit),
    logprobs: fill((t) => -3 + 0.05 * t),
    reference: fill((t) => -3.1 + 0.02 * t),
  };
}
