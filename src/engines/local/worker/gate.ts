/**
 * Lets a process end while workers are busy. A thread that is stopped inside the runtime's native code takes the whole
 * process down with an abort; so whoever ends the process closes the gate, waits until each worker has left native code,
 * and finds it parked before the next run.
 */

/** Shared by all threads of a pool: [closed, busy of worker 0, busy of worker 1, …]. */
export type Gate = Int32Array;

/** How long an exiting process waits for a run to finish. */
const PATIENCE_MS = 5000;

export function createGate(workers: number): Gate {
  return new Int32Array(new SharedArrayBuffer(4 * (1 + workers)));
}

/** A worker's side: runs native work between the two marks, and never returns once the gate is closed. */
export async function throughGate<T>(gate: Gate, worker: number, work: () => Promise<T>): Promise<T> {
  // Busy first, then look: whoever closes the gate looks in the opposite order, so one of the two always sees the other.
  Atomics.store(gate, 1 + worker, 1);
  if (Atomics.load(gate, 0) === 1) {
    leave(gate, worker);
    // Until the thread is ended from outside.
    Atomics.wait(gate, 0, 1);
  }
  try {
    return await work();
  } finally {
    leave(gate, worker);
  }
}

function leave(gate: Gate, worker: number): void {
  Atomics.store(gate, 1 + worker, 0);
  Atomics.notify(gate, 1 + worker);
}

/** The main thread's side: returns when no worker is inside native code, or after a while. Blocks, as an exit must. */
export function closeGate(gate: Gate): void {
  Atomics.store(gate, 0, 1);
  for (let worker = 1; worker < gate.length; worker++) Atomics.wait(gate, worker, 1, PATIENCE_MS);
}
