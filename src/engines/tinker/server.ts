/**
 * A server as the engine talks to it: calls that outlast what passes, and futures. What does not pass comes out as a
 * Fault for the caller to act on, or ends the engine where only a person can help.
 */
import { EngineStopped } from '../../core/engine.ts';
import { systemClock } from './clock.ts';
import { Fault } from './fault.ts';
import { readKey } from './secrets.ts';
import { type Notice, type ServerOptions, TIMES, type Times } from './settings.ts';
import { type Call, openTransport } from './transport.ts';
import { decoded } from './wire-form.ts';

export interface Asking {
  signal?: AbortSignal | undefined;
  /** A server that runs a repeated call again must not be sent it twice: what became of it is then a conflict. */
  once?: boolean;
}

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly times: Times;
  readonly notice: Notice;
  post(path: string, body: unknown, asking?: Asking): Promise<unknown>;
  get(path: string, asking?: Asking): Promise<unknown>;
  delete(path: string, asking?: Asking): Promise<unknown>;
  /** Submits and waits for the result. `read` throws a badAnswer for what cannot be right. */
  future<T>(path: string, body: unknown, read: (result: unknown) => T, asking?: Asking): Promise<T>;
  /** One attempt only. */
  tell(path: string, body: unknown): Promise<unknown>;
  pause(failures: number, asking?: Asking): Promise<void>;
  /** A fault in words for the user, as the end of the run. */
  stopped(fault: unknown): Error;
}

/** A result is asked for again so often before it is believed to be wrong. */
const BAD_ANSWERS = 4;

export function openServer(options: ServerOptions): Server {
  const { keyEnv, maxOutageSeconds, notice = () => {}, clock = systemClock, env = process.env } = options;
  const times = { ...TIMES, ...options.times };
  const key = readKey(keyEnv, env);
  const transport = openTransport(options.url, key, env, options.wire ?? 'json');
  const { url } = transport;
  let down = false;

  const stopped = (error: unknown): Error => {
    if (!(error instanceof Fault)) return error instanceof Error ? error : new Error(String(error));
    const fix = {
      unauthorized: key.isSet
        ? `Put a valid key into ${keyEnv}, then resume the run.`
        : `It wants a key: put yours into ${keyEnv}, then resume the run.`,
      unpaid: 'See to the account, then resume the run.',
    }[error.kind as string];
    return new EngineStopped(`The server ${url}: ${error.message}.${fix ? ` ${fix}` : ''}`, { cause: error });
  };

  const pause = (failures: number, { signal }: Asking = {}, atLeastMs = 0) => {
    const [first, longest] = times.backoff;
    // Full jitter: those who failed together do not return together.
    const ms = clock.random() * Math.min(longest, first * 2 ** Math.min(failures - 1, 20));
    return clock.sleep(Math.max(ms, atLeastMs), signal);
  };

  /** Tries until it works, the fault is none that passes, or the server was away for too long. */
  const persist = async (call: Omit<Call, 'timeoutMs'>, asking: Asking, timeoutMs = times.call): Promise<unknown> => {
    const { signal } = asking;
    let failingSince: number | undefined;
    for (let failures = 1; ; failures++) {
      try {
        const answer = await transport.send({ ...call, timeoutMs, signal });
        if (down) {
          down = false;
          notice('serverBack', `The server ${url} answers again.`);
        }
        return answer;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === 'unauthorized' || error.kind === 'unpaid') throw stopped(error);
        if (!error.passes) throw error;
        if (asking.once && error.kind !== 'busy') {
          throw new Fault('conflict', `it is unclear what became of a request, because ${error.message}`);
        }
        failingSince ??= clock.now();
        const seconds = Math.round((clock.now() - failingSince) / 1000);
        if (seconds >= maxOutageSeconds) {
          throw new EngineStopped(
            `The server ${url} has not answered as it should for ${seconds} s: ${error.message}. Resume the run when it is back.`,
          );
        }
        if (failures > 1 && !down) {
          down = true;
          notice('serverAway', `The server ${url}: ${error.message}. Trying again for up to ${maxOutageSeconds} s.`);
        }
        await pause(failures, asking, Math.min(error.retryAfterMs ?? 0, 1000 * maxOutageSeconds));
      }
    }
  };

  const post = (path: string, body: unknown, asking: Asking = {}) => persist({ method: 'POST', path, body }, asking);

  /** One poll: the result, or undefined while there is none. */
  const poll = async (request_id: string, asking: Asking): Promise<unknown> => {
    const body = { request_id, allow_metadata_only: false };
    const call = { method: 'POST' as const, path: 'retrieve_future', body };
    let answer: unknown;
    try {
      answer = await transport.send({ ...call, timeoutMs: times.poll, signal: asking.signal });
    } catch (error) {
      if (!(error instanceof Fault) || !error.passes) throw error;
      if (error.status === 408) return undefined;
      // Silence may be a long hold or a dead server: one that is well answers this.
      if (error.kind === 'timeout') await persist({ method: 'GET', path: 'healthz' }, asking, times.poll);
      else answer = await persist(call, asking, times.poll).catch(pending);
      if (answer === undefined) return undefined;
    }
    return isUnfinished(answer) ? undefined : answer;
  };

  const result = async <T>(requestId: string, read: (result: unknown) => T, asking: Asking): Promise<T> => {
    for (let bad = 0, quick = 0; ; ) {
      const asked = clock.now();
      const answer = await poll(requestId, asking);
      if (answer === undefined) {
        // A server that does not hold a poll would be asked without a break.
        if (clock.now() - asked < 1000) await clock.sleep(Math.min(1000, 5 * 2 ** quick++), asking.signal);
        continue;
      }
      const { error, category } = answer as { error?: unknown; category?: unknown };
      if (typeof error === 'string') {
        throw new Fault(category === 'user' ? 'refused' : 'failed', transport.redact(error.slice(0, 500)));
      }
      try {
        return read(answer);
      } catch (fault) {
        if (!(fault instanceof Fault) || ++bad >= BAD_ANSWERS) throw fault;
        await pause(bad, asking);
      }
    }
  };

  return {
    url,
    times,
    notice,
    post,
    get: (path, asking = {}) => persist({ method: 'GET', path }, asking),
    delete: (path, asking = {}) => persist({ method: 'DELETE', path }, asking),
    async future(path, body, read, asking = {}) {
      try {
        const request = await submit(() => post(path, body, asking));
        return await result(request, (answer) => read(decoded(path, answer)), asking);
      } catch (error) {
        if (error instanceof Fault && (error.kind === 'unauthorized' || error.kind === 'unpaid')) throw stopped(error);
        throw error;
      }
    },
    tell: (path, body) => transport.send({ method: 'POST', path, body, timeoutMs: times.call }),
    pause,
    stopped,
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

async function submit(post: () => Promise<unknown>): Promise<string> {
  const { request_id } = ((await post()) ?? {}) as { request_id?: unknown };
  if (typeof request_id === 'string' && request_id !== '') return request_id;
  throw new Fault('refused', 'the server took a request without naming the future that answers it');
}

function pending(error: unknown): undefined {
  if (error instanceof Fault && error.status === 408) return undefined;
  throw error;
}

function isUnfinished(answer: unknown): boolean {
  const { type, status } = (answer ?? {}) as { type?: unknown; status?: unknown };
  return type === 'try_again' || status === 'complete_metadata';
}
