/**
 * A server as something to ask: one question in, one understood answer out, with waiting, retrying and giving up in
 * between. What comes out as an error is a ServerFault for this question or an EngineStopped for all of them.
 */
import { EngineStopped } from '../../core/engine.ts';
import { abortable } from './abort.ts';
import { BREAKER, circuitBreaker } from './breaker.ts';
import { type Clock, systemClock } from './clock.ts';
import { adaptiveConcurrency, type Concurrency } from './concurrency.ts';
import { openConnections } from './connections.ts';
import { CONSEQUENCES, ServerFault, ServerStopped } from './fault.ts';
import { steadyPace } from './pace.ts';
import { backoffMs } from './retry.ts';
import { type Environment, readSecrets } from './secrets.ts';
import type { OpenAiSettings } from './settings.ts';
import { clip, faultOf, type HttpAnswer, looksLikeHtml } from './status.ts';
import { type Traffic, traffic } from './usage.ts';

export interface Question<T> {
  path: string;
  /** A POST where there is one. */
  body?: string;
  /** Makes sense of the answer, or throws a ServerFault of kind `badAnswer`. Tokens tell how much work it was. */
  read(json: unknown): { value: T; tokens: number };
  signal?: AbortSignal | undefined;
  /** Instead of the setting. */
  maxRetries?: number;
}

export interface Client extends AsyncDisposable {
  ask<T>(question: Question<T>): Promise<T>;
  readonly concurrency: Pick<Concurrency, 'limit' | 'inFlight' | 'waiting'>;
  readonly traffic: Readonly<Traffic>;
  readonly hasKey: boolean;
}

export interface ClientParts {
  clock?: Clock;
  env?: Environment;
}

export function openClient(
  settings: OpenAiSettings,
  { clock = systemClock, env = process.env }: ClientParts = {},
): Client {
  const { url, timeoutSeconds, maxRetries, maxOutageSeconds, maxAnswerBytes } = settings;
  const { origin, pathname } = new URL(url);
  const secrets = readSecrets(settings, env);
  const connections = openConnections(origin, env);
  const closing = new AbortController();
  const breaker = circuitBreaker(clock, BREAKER, closing.signal);
  const concurrency = adaptiveConcurrency(settings.startConcurrency, settings.maxConcurrency, clock);
  const pace = steadyPace(settings.requestsPerSecond, clock);
  const counts = traffic();
  const patienceMs = 1000 * maxOutageSeconds;
  let lastGood = Number.NEGATIVE_INFINITY;

  /** Waits for a place in flight, for the server to be there, and for the turn in the pace, in this order. */
  const enter = async (signal: AbortSignal | undefined) => {
    const place = concurrency.acquire(signal);
    if (place) await place;
    try {
      for (let wait = breaker.admit(); wait; wait = breaker.admit()) {
        const outage = breaker.outage();
        if (outage && outage.ms >= patienceMs) throw gone(outage);
        await abortable(wait, signal);
      }
      const turn = pace.next(signal);
      if (turn) await turn;
    } catch (error) {
      breaker.abandoned();
      concurrency.release();
      throw error;
    }
  };

  const exchanged = async <T>({ path, body, read, signal }: Question<T>, sentAt: number): Promise<T> => {
    const answer = await connections.send({
      origin,
      path: `${pathname}${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: secrets.headers,
      body: body ?? null,
      timeoutMs: 1000 * timeoutSeconds,
      maxBytes: maxAnswerBytes,
      signal,
    });
    if (answer.status < 200 || answer.status > 299) throw faultOf(answer, Date.now());
    // A server that echoes what it is sent must not bring the key into a store.
    answer.text = secrets.redact(answer.text);
    const { value, tokens } = read(parsed(answer));
    const now = clock.now();
    lastGood = now;
    concurrency.succeeded(now - sentAt, tokens);
    return value;
  };

  const ask = async <T>(question: Question<T>): Promise<T> => {
    const { signal } = question;
    const retries = question.maxRetries ?? maxRetries;
    let failures = 0;
    let waits = 0;
    let busySince: number | undefined;
    counts.questions++;
    for (;;) {
      signal?.throwIfAborted();
      await enter(signal);
      counts.requests++;
      const sentAt = clock.now();
      let fault: ServerFault;
      try {
        const value = await exchanged(question, sentAt);
        breaker.alive();
        return value;
      } catch (error) {
        if (!(error instanceof ServerFault)) {
          breaker.abandoned();
          throw error;
        }
        fault = error;
      } finally {
        concurrency.release();
      }
      counts.faults[fault.kind] = (counts.faults[fault.kind] ?? 0) + 1;
      const { retry, alive, slowDown } = CONSEQUENCES[fault.kind];
      if (slowDown) concurrency.overloaded(sentAt);
      if (fault.retryAfterMs !== undefined) pace.pause(Math.min(fault.retryAfterMs, patienceMs));
      if (alive) breaker.alive();
      const outage = !alive && breaker.failed(fault.message) ? breaker.outage() : undefined;
      if (outage && outage.ms >= patienceMs) throw gone(outage);
      if (retry === 'never') throw final(fault);
      const now = clock.now();
      if (retry === 'patient') {
        busySince ??= sentAt;
        waits++;
        if (now - busySince >= patienceMs) throw lastGood < busySince ? busyForTooLong(fault) : final(fault);
      } else if (!outage && ++failures > retries) {
        throw final(fault, failures);
      }
      counts.retries++;
      await clock.sleep(backoffMs(Math.max(1, failures + waits), clock.random()), signal);
    }
  };

  const where = `The server ${url}`;
  const say = (text: string) => clip(secrets.redactParts(text));

  const gone = ({ ms, reason }: { ms: number; reason: string }) =>
    new EngineStopped(
      `${where} has not answered for ${seconds(ms)}: ${say(reason)}. Look whether it runs; engine settings url and maxOutageSeconds say where and how long to wait.`,
    );

  const busyForTooLong = (fault: ServerFault) =>
    new EngineStopped(
      `${where} has been busy for ${seconds(patienceMs)} without one good answer: ${say(fault.message)}. Lower maxConcurrency or requestsPerSecond, or wait longer with maxOutageSeconds.`,
    );

  /** The same fault in words for whoever asked. */
  const final = (fault: ServerFault, attempts = 1) => {
    const { kind, status } = fault;
    const times = attempts > 1 ? ` (${attempts} attempts)` : '';
    const words = `${where}: ${say(fault.message)}${times}`;
    if (!CONSEQUENCES[kind].stops) return new ServerFault(kind, words, status === undefined ? {} : { status });
    return new ServerStopped(kind, `${words}. ${advice(kind)}`);
  };

  const advice = (kind: ServerFault['kind']) => {
    if (kind === 'outOfCredit') return 'Add credit to the account behind the key, then resume.';
    if (kind === 'notFound') return `Check url and model: is ${clip(settings.model)} served there?`;
    return secrets.hasKey
      ? `The key in ${settings.keyEnv} is not accepted: set the environment variable ${settings.keyEnv} to a valid one.`
      : `No key was sent: set the environment variable ${settings.keyEnv}, or name another one with keyEnv.`;
  };

  return {
    ask,
    concurrency,
    traffic: counts,
    hasKey: secrets.hasKey,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await connections[Symbol.asyncDispose]();
    },
  };
}

function parsed({ text, contentType }: HttpAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text === '') throw new ServerFault('unreadable', 'the answer is empty');
    if (looksLikeHtml(text, contentType)) {
      throw new ServerFault('unreadable', 'the answer is an HTML page, so something else than the model answers there');
    }
    const nan = /[:[,]\s?-?(?:NaN|Infinity)\b/.test(text) ? ' (it holds NaN or Infinity; logprobs: off may help)' : '';
    // What begins like the protocol comes from the model server; anything else may come from whoever stands before it.
    const kind = text.trimStart().startsWith('{') ? 'badAnswer' : 'unreadable';
    throw new ServerFault(kind, `the answer is not JSON${nan}: ${clip(text)}`);
  }
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
