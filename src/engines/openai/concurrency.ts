/**
 * How many requests may be in flight, found out by trying: one more for every round of good answers, half as many when the
 * server says that it is too much, a fifth fewer when answers come much slower than they could.
 */
import { onAbort } from './abort.ts';
import type { Clock } from './clock.ts';

export interface Concurrency {
  /** Undefined where there is a place; else a promise of one. */
  acquire(signal?: AbortSignal): Promise<void> | undefined;
  release(): void;
  /** A good answer after `ms`, of so many tokens. */
  succeeded(ms: number, tokens: number): void;
  /** Too much, says the answer to a request sent at `sentAt`. */
  overloaded(sentAt: number): void;
  readonly limit: number;
  readonly inFlight: number;
  readonly waiting: number;
}

/** Answers this many times slower than the best round mean a queue, not work. */
const TOLERANCE = 5;
/** The best round fades, so that a server which has become slower for good is taken as it is. */
const FADE = 1.02;

export function adaptiveConcurrency(start: number, max: number, clock: Clock): Concurrency {
  let limit = Math.min(start, max);
  let inFlight = 0;
  let doubling = true;
  let lastCut = Number.NEGATIVE_INFINITY;
  const queue = waitingLine();
  const round = { answers: 0, ms: 0, tokens: 0 };
  let best = Number.POSITIVE_INFINITY;

  const admitWaiting = () => {
    while (inFlight < Math.floor(limit) && queue.size > 0) {
      inFlight++;
      queue.shift()!();
    }
  };
  const endOfRound = () => {
    const pace = round.ms / Math.max(1, round.tokens);
    round.answers = 0;
    round.ms = 0;
    round.tokens = 0;
    best = Math.min(best * FADE, pace);
    if (pace <= TOLERANCE * best || limit <= start) return;
    doubling = false;
    limit = Math.max(start, 0.8 * limit);
  };
  return {
    acquire(signal) {
      if (inFlight < Math.floor(limit) && queue.size === 0) {
        inFlight++;
        return undefined;
      }
      return new Promise((resolve, reject) => {
        const leave = queue.push(() => {
          forget?.();
          resolve();
        });
        const forget =
          signal &&
          onAbort(signal, (reason) => {
            leave();
            reject(reason);
          });
      });
    },
    release() {
      inFlight--;
      admitWaiting();
    },
    succeeded(ms, tokens) {
      // Growing only while the limit is felt: otherwise nothing is learned about it.
      if (inFlight >= Math.floor(limit) - 1) limit = Math.min(max, limit + (doubling ? 1 : 1 / limit));
      round.answers++;
      round.ms += ms;
      round.tokens += tokens;
      if (round.answers >= Math.max(16, limit)) endOfRound();
      admitWaiting();
    },
    overloaded(sentAt) {
      doubling = false;
      // Requests that were under way at the last cut tell nothing about the limit since.
      if (sentAt < lastCut) return;
      lastCut = clock.now();
      limit = Math.max(1, limit / 2);
    },
    get limit() {
      return Math.floor(limit);
    },
    get inFlight() {
      return inFlight;
    },
    get waiting() {
      return queue.size;
    },
  };
}

/** First come, first served; leaving the middle of the line is as cheap as standing in it. */
function waitingLine() {
  let line: { admit: () => void; gone: boolean }[] = [];
  let head = 0;
  let size = 0;
  return {
    get size() {
      return size;
    },
    push(admit: () => void): () => void {
      const place = { admit, gone: false };
      line.push(place);
      size++;
      return () => {
        if (place.gone) return;
        place.gone = true;
        size--;
      };
    },
    shift(): (() => void) | undefined {
      while (head < line.length) {
        const place = line[head++]!;
        if (head > 1024 && 2 * head > line.length) {
          line = line.slice(head);
          head = 0;
        }
        if (place.gone) continue;
        place.gone = true;
        size--;
        return place.admit;
      }
      return undefined;
    },
  };
}
