/** The main thread's side: starts workers, pairs answers with questions, and turns a lost worker into errors. */
import { Worker } from 'node:worker_threads';
import { closeGate, createGate, type Gate } from './gate.ts';
import type { CallName, Calls, FromWorker, ThreadData, ToWorker } from './protocol.ts';

export interface PoolOptions {
  workers: number;
  /** Threads inside one operator. */
  threads: number;
  /** Rows one worker samples at once. */
  maxRows: number;
  /** Another program for the threads, for tests of what happens when one dies. */
  entry?: URL;
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

interface Member {
  worker: Worker;
  waiting: Map<number, Waiting>;
  /** Why it can no longer work. */
  lost: Error | null;
}

/** Run from its sources, the pool starts the compiled worker: Node 20 has no TypeScript in threads. */
function compiledEntry(): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return new URL(fromSource ? '../../../../dist/engines/local/worker/thread.js' : './thread.js', import.meta.url);
}

export class WorkerPool implements AsyncDisposable {
  readonly #members: Member[];
  readonly #gate: Gate;
  readonly #onExit = (): void => closeGate(this.#gate);
  #nextId = 1;
  #closing = false;

  constructor({ workers, entry = compiledEntry(), ...options }: PoolOptions) {
    const gate = createGate(workers);
    this.#gate = gate;
    this.#members = Array.from({ length: workers }, (_, index) => this.#start(entry, { ...options, gate, index }));
    process.once('exit', this.#onExit);
  }

  get size(): number {
    return this.#members.length;
  }

  #start(entry: URL, data: ThreadData): Member {
    const { index } = data;
    // No flags of the main program: some, such as --input-type, are refused by threads.
    const worker = new Worker(entry, { workerData: data, name: `genenv-${index}`, execArgv: [] });
    const member: Member = { worker, waiting: new Map(), lost: null };
    const lose = (reason: string, cause?: unknown) => {
      if (member.lost) return;
      member.lost = new Error(`worker ${index} of the local engine is gone: ${reason}`, { cause });
      for (const { reject } of member.waiting.values()) reject(member.lost);
      member.waiting.clear();
    };
    worker.on('message', (message: FromWorker) => {
      const waiting = member.waiting.get(message.id);
      member.waiting.delete(message.id);
      if ('error' in message) waiting?.reject(message.error);
      else waiting?.resolve(message.result as never);
    });
    worker.on('error', (error) => lose(error.message, error));
    worker.on('exit', (code) => lose(this.#closing ? 'the engine was closed' : `its thread ended with code ${code}`));
    return member;
  }

  async call<K extends CallName>(
    index: number,
    call: K,
    argument: Calls[K]['argument'],
    signal?: AbortSignal,
  ): Promise<Calls[K]['result']> {
    signal?.throwIfAborted();
    const member = this.#members[index];
    if (!member) throw new RangeError(`there is no worker ${index}`);
    if (member.lost) throw member.lost;
    const id = this.#nextId++;
    const abort = () => member.worker.postMessage({ id, call: 'abort' } satisfies ToWorker);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<Calls[K]['result']>((resolve, reject) => {
        member.waiting.set(id, { resolve, reject });
        // The union is over calls, and TypeScript cannot see that call and argument belong together.
        member.worker.postMessage({ id, call, argument } as ToWorker);
      });
    } catch (error) {
      // What the caller gave as the reason, rather than its copy from the other side.
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The same call on every worker. */
  all<K extends CallName>(call: K, argument: (worker: number) => Calls[K]['argument']): Promise<Calls[K]['result'][]> {
    return Promise.all(this.#members.map((_, index) => this.call(index, call, argument(index))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    await Promise.all(
      this.#members.map(async ({ worker, lost }) => {
        if (!lost) {
          const closed = new Promise((resolve) => worker.once('exit', resolve));
          worker.postMessage({ id: this.#nextId++, call: 'close' } satisfies ToWorker);
          // A worker that is deep in a long run gets this long to finish it; then its work is nobody's.
          await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 10_000).unref())]);
        }
      }),
    );
    closeGate(this.#gate);
    await Promise.all(this.#members.map(({ worker }) => worker.terminate()));
    process.removeListener('exit', this.#onExit);
  }
}
