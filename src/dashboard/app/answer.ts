/** Asking the server, with every state a page has to show: loading, there, failed, and out of date while asking again. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Sending {
  method?: 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export async function ask<T>(path: string, signal?: AbortSignal, sending: Sending = {}): Promise<T> {
  const headers = { Accept: 'application/json', ...sending.headers };
  const response = await fetch(path, { ...sending, headers, ...(signal ? { signal } : {}) }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refused(0, 'The dashboard does not answer. Is `genenv ui` still running?');
  });
  if (!response.ok) {
    const said = (await response.json().catch(() => null)) as ApiError | null;
    throw new Refused(response.status, said?.error ?? `The server answered ${response.status}.`);
  }
  return (await response.json()) as T;
}

export interface Answer<T> {
  data: T | null;
  error: Refused | null;
  loading: boolean;
  again: () => void;
}

/** A filter being typed is not asked for at every letter. */
const TYPING_MS = 150;

/** Least time between two askings that nobody asked for. */
const QUIET_MS = 1500;

/**
 * The answer to a question; null asks nothing. When `version` changes it is asked again, not too often, and the old answer
 * stays until the new one is there; with `keep`, the answer to another question too, so that a list does not blink while
 * its filter is typed.
 */
export function useAnswer<T>(path: string | null, version = 0, { keep = false } = {}): Answer<T> {
  const [state, setState] = useState<Asked<T>>({ path, data: null, error: null, loading: path !== null });
  const [round, setRound] = useState(0);
  // The question at hand, told of a newer version while it waits.
  const question = useRef<{ renew: () => void } | null>(null);
  const known = useRef(state);
  known.current = state;
  const current: Asked<T> =
    state.path === path ? state : { path, data: keep ? state.data : null, error: null, loading: path !== null };

  useEffect(() => {
    if (path === null) return;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;
    let stale = false;
    const send = async () => {
      busy = true;
      stale = false;
      try {
        const data = await ask<T>(path, control.signal);
        setState({ path, data, error: null, loading: false });
      } catch (error) {
        if (control.signal.aborted) return;
        const refused = error instanceof Refused ? error : new Refused(0, String(error));
        setState((before) => ({
          path,
          data: before.path === path ? before.data : null,
          error: refused,
          loading: false,
        }));
      }
      timer = setTimeout(() => {
        busy = false;
        if (stale) send();
      }, QUIET_MS);
    };
    question.current = {
      renew: () => {
        stale = true;
        if (!busy) send();
      },
    };
    const isTyped = keep && known.current.data !== null && known.current.path !== path;
    busy = true;
    timer = setTimeout(send, isTyped ? TYPING_MS : 0);
    return () => {
      clearTimeout(timer);
      control.abort();
      question.current = null;
    };
  }, [path, round]);

  const first = useRef(version);
  useEffect(() => {
    if (version !== first.current) question.current?.renew();
    first.current = version;
  }, [version]);
  return { ...current, again: () => setRound((n) => n + 1) };
}

interface Asked<T> {
  path: string | null;
  data: T | null;
  error: Refused | null;
  loading: boolean;
}
