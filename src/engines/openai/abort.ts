/**
 * Waiting for a signal with thousands of requests on it. A signal looks through all its listeners to remove one, so each
 * has one listener here, and the requests a set.
 */
type Callback = (reason: unknown) => void;

const waiting = new WeakMap<AbortSignal, Set<Callback>>();

/** Calls back once when the signal fires, or at once where it has; returns how to stop waiting. */
export function onAbort(signal: AbortSignal, callback: Callback): () => void {
  if (signal.aborted) {
    callback(signal.reason);
    return () => {};
  }
  let callbacks = waiting.get(signal);
  if (!callbacks) {
    const set = new Set<Callback>();
    signal.addEventListener('abort', () => {
      for (const each of [...set]) each(signal.reason);
      set.clear();
    });
    waiting.set(signal, set);
    callbacks = set;
  }
  const set = callbacks;
  set.add(callback);
  return () => set.delete(callback);
}

/** The promise, or the signal's reason if that comes first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, reject);
    promise.then(resolve, reject).finally(forget);
  });
}
