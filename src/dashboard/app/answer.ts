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

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { headers: { Accept: 'application/json' }, ...(signal ? { signal } : {}) }).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error;
      throw new Refused(0, 'The dashboard does not answer. Is `genenv ui` still running?');
    },
  );
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

/** Least time between two askings that nobody asked for. */
const QUIET_MS = 1500;

/**
 * The answer to a question; null asks nothing. When `version` changes it is asked again, not too often, and the old answer
 * stays until the new one is there.
 */
export function useAnswer<T>(path: string | null, version = 0): Answer<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: Refused | null; loading: boolean }>({
    path,
    data: null,
    error: null,
    loading: path !== null,
  });
  const [round, setRound] = useState(0);
  const askedAt = useRef(0);
  const current = state.path === path ? state : { path, data: null, error: null, loading: path !== null };
  const isNew = state.path !== path || state.data === null;
  useEffect(() => {
    if (path === null) return;
    const control = new AbortController();
    const wait = isNew ? 0 : Math.max(0, askedAt.current + QUIET_MS - performance.now());
    const timer = setTimeout(() => {
      askedAt.current = performance.now();
      setState((before) => ({ ...(before.path === path ? before : { data: null, error: null }), path, loading: true }));
      ask<T>(path, control.signal).then(
        (data) => setState({ path, data, error: null, loading: false }),
        (error: unknown) => {
          if (control.signal.aborted) return;
          const refused = error instanceof Refused ? error : new Refused(0, String(error));
          setState((before) => ({
            path,
            data: before.path === path ? before.data : null,
            error: refused,
            loading: false,
          }));
        },
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [path, version, round]);
  return { ...current, again: () => setRound((n) => n + 1) };
}
