/** Ctrl-C, and SIGTERM, as signals to whatever is at work: once to finish the step, twice to abandon it. */
import type { Signals } from '../run.ts';
import { Interrupted } from './errors.ts';

/** Listens until it is disposed of. `onStop` is told of the first interruption. */
export function listenForInterrupts(onStop: () => void): Signals & Disposable {
  const stop = new AbortController();
  const abort = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) abort.abort(new Interrupted('Stopped at once. What was committed is safe.'));
    else onStop();
    // While models learn their language there is no step to finish.
    stop.abort(new Interrupted('Stopped before the first step; nothing was lost.'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return {
    stop: stop.signal,
    signal: abort.signal,
    [Symbol.dispose]: () => {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    },
  };
}
