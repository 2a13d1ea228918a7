/**
 * The traces of a group as one body. A prompt of thousands of ids is stored once: the first turns of a group share
 * theirs, and a later turn's prompt that continues the turn before it is stored as the continuation. Ids carried by a
 * message are those of the turn that wrote it, so they are stored as a reference to that turn.
 */
import type { Message, Trace, Turn } from '../core/types.ts';
import { type IntReader, type IntWriter, intReader, intWriter } from './int-stream.ts';
import type { Body } from './pack.ts';

const NONE = new Int32Array(0);

/** `tokens` become `turn`: the index of the turn with the same ids, or −1 when they are stored on their own. */
type StoredMessage = Omit<Message, 'tokens'> & { turn?: number };
type StoredTrace = Omit<Trace, 'turns' | 'messages'> & { messages: StoredMessage[] };

export function encodeTraces(traces: readonly Trace[]): Body {
  const ints = intWriter();
  const logprobs: Float32Array[] = [];
  const shared = firstPrompt(traces);
  // All turns come before all else, so that training reads them without touching a word.
  ints.array(shared);
  for (const { turns } of traces) {
    ints.number(turns.length);
    for (const [i, turn] of turns.entries()) {
      const past = pastOf(turns[i - 1], shared);
      const continues = startsWith(turn.prompt, past);
      ints.number(continues ? 1 : 0);
      ints.array(continues ? turn.prompt.subarray(past.length) : turn.prompt);
      ints.array(turn.tokens);
      ints.number(turn.logprobs.length);
      logprobs.push(turn.logprobs);
    }
  }
  // Written key by key: equal traces must give equal bytes, whatever the order their fields were set in.
  const stored = traces.map(
    ({ index, policy, answer, reward, terms, success, valid, stop, error, turns, messages }): StoredTrace => ({
      index,
      policy,
      messages: messages.map((message) => storeMessage(message, turns, ints)),
      answer,
      reward,
      ...(terms === undefined
        ? {}
        : {
            terms: terms.map(({ name, score, detail }) => ({
              name,
              score,
              ...(detail === undefined ? {} : { detail }),
            })),
          }),
      success,
      valid,
      stop,
      ...(error === undefined ? {} : { error }),
    }),
  );
  return { json: JSON.stringify(stored), ints: ints.done(), floats: concat(logprobs) };
}

export function decodeTraces(body: Body): Trace[] {
  // The JSON is our own, written by encodeTraces.
  const stored = JSON.parse(body.json) as StoredTrace[];
  const ints = intReader(body.ints);
  const turns = readTurns(ints, body.floats, stored.length);
  return stored.map((trace, i) => ({
    ...trace,
    messages: trace.messages.map((message) => restoreMessage(message, turns[i]!, ints)),
    turns: turns[i]!,
  }));
}

/** The turns alone, of each of `count` traces. */
export function decodeTurns(body: Omit<Body, 'json'>, count: number): Turn[][] {
  return readTurns(intReader(body.ints), body.floats, count);
}

function readTurns(ints: IntReader, floats: Float32Array, count: number): Turn[][] {
  let floatsRead = 0;
  const shared = ints.array();
  return Array.from({ length: count }, () => {
    const turns: Turn[] = [];
    for (let left = ints.number(); left > 0; left--) {
      const continues = ints.number() === 1;
      const own = ints.array();
      const prompt = continues ? join(pastOf(turns.at(-1), shared), own) : own;
      const tokens = ints.array();
      const length = ints.number();
      const logprobs = floats.slice(floatsRead, floatsRead + length);
      floatsRead += length;
      turns.push({ prompt, tokens, logprobs });
    }
    return turns;
  });
}

/** Messages that were never sampled (a task's prompt, an author's context), without the ids they have no use for. */
export function plainMessages(messages: readonly Message[]): Message[] {
  return messages.map(({ role, content, toolCalls }) => ({ role, content, ...(toolCalls ? { toolCalls } : {}) }));
}

function storeMessage(message: Message, turns: readonly Turn[], ints: IntWriter): StoredMessage {
  const { role, content, toolCalls, tokens } = message;
  const stored: StoredMessage = { role, content, ...(toolCalls ? { toolCalls } : {}) };
  if (tokens) {
    stored.turn = turns.findIndex((turn) => turn.tokens === tokens || sameIds(turn.tokens, tokens));
    if (stored.turn < 0) ints.array(tokens);
  }
  return stored;
}

function restoreMessage(stored: StoredMessage, turns: readonly Turn[], ints: IntReader): Message {
  const { turn, ...message } = stored;
  if (turn === undefined) return message;
  return { ...message, tokens: turns[turn]?.tokens ?? ints.array() };
}

/** What a turn's prompt is expected to begin with. */
function pastOf(previous: Turn | undefined, shared: Int32Array): Int32Array {
  return previous ? join(previous.prompt, previous.tokens) : shared;
}

function firstPrompt(traces: readonly Trace[]): Int32Array {
  return traces.find((trace) => trace.turns.length > 0)?.turns[0]?.prompt ?? NONE;
}

function startsWith(ids: Int32Array, prefix: Int32Array): boolean {
  if (ids === prefix) return true;
  if (ids.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (ids[i] !== prefix[i]) return false;
  return true;
}

function sameIds(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Shares `a` when there is nothing to add, so that G traces of a group hold one prompt. */
function join(a: Int32Array, b: Int32Array): Int32Array {
  if (b.length === 0) return a;
  const joined = new Int32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function concat(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
