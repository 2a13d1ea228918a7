/** Results that come later: a ticket at once, the result when it is asked for, and for a while after that. */
import type { FailureCategory, ForwardBackwardResult, SampleResult } from '../wire/messages.ts';
import { WireError } from '../wire/proto-reader.ts';
import { Refusal } from './refusal.ts';

/** A result, and which codec fits it. */
export type Outcome =
  | { kind: 'forwardBackward'; value: ForwardBackwardResult }
  | { kind: 'sample'; value: SampleResult }
  | { kind: 'plain'; value: Readonly<Record<string, unknown>> }
  | { kind: 'failed'; error: string; category: FailureCategory };

interface Future {
  outcome: Outcome | null;
  bytes: number;
  settled: Promise<unknown>;
  abort: AbortController;
  read: boolean;
}

export interface FuturesOptions {
  pending: number;
  results: number;
  resultBytes: number;
  /** Told of failures that are the server's own. */
  onError: (error: unknown) => void;
}

export class Futures {
  /** Tells tickets of this start of the server from those of earlier ones. */
  readonly #start: string;
  readonly #options: FuturesOptions;
  readonly #futures = new Map<string, Future>();
  #issued = 0;
  #pending = 0;
  #bytes = 0;

  constructor(start: string, options: FuturesOptions) {
    this.#start = start;
    this.#options = options;
  }

  /** Whether one more call can be taken on. Asked before anything of it is done. */
  checkRoom(): void {
    if (this.#pending >= this.#options.pending)
      throw new Refusal(
        429,
        `${this.#pending} calls are under way, which is the most this server takes on: try again.`,
      );
  }

  open(work: (signal: AbortSignal) => Promise<Outcome>): string {
    const id = `${this.#start}.${++this.#issued}`;
    const abort = new AbortController();
    const future: Future = { outcome: null, bytes: 0, settled: Promise.resolve(), abort, read: false };
    this.#futures.set(id, future);
    this.#pending++;
    future.settled = work(abort.signal)
      .catch((error: unknown) => this.#failure(error))
      .then((outcome) => {
        future.outcome = outcome;
        future.bytes = bytesOf(outcome);
        this.#bytes += future.bytes;
        this.#pending--;
        this.#trim();
      });
    return id;
  }

  /** The outcome, or null when there is none within the time. */
  async retrieve(id: string, holdMs: number, gone: AbortSignal): Promise<Outcome | null> {
    const future = this.#futures.get(id);
    if (!future) throw this.#unknown(id);
    if (!future.outcome && holdMs > 0) await within(future.settled, holdMs, gone);
    if (future.outcome) future.read = true;
    return future.outcome;
  }

  cancel(id: string): void {
    this.#futures.get(id)?.abort.abort(new Refusal(410, 'The client cancelled this call.'));
  }

  cancelAll(reason: Error): void {
    for (const { abort, outcome } of this.#futures.values()) if (!outcome) abort.abort(reason);
  }

  #failure(error: unknown): Outcome {
    const own = !(error instanceof Refusal || error instanceof WireError || error instanceof RangeError);
    if (own) this.#options.onError(error);
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', error: message, category: own ? 'server' : 'user' };
  }

  #unknown(id: string): Refusal {
    const [start, count] = id.split('.');
    if (start !== this.#start)
      return new Refusal(
        410,
        `Request ${id} is from before this server was started: nothing of it is left. Begin again.`,
      );
    return Number(count) <= this.#issued
      ? new Refusal(410, `The result of request ${id} is gone: this server keeps the last ${this.#options.results}.`)
      : new Refusal(404, `There is no request ${id}.`);
  }

  /** Those that were read go first, then the oldest; the newest stays. */
  #trim(): void {
    const { results, resultBytes } = this.#options;
    if (this.#futures.size - this.#pending <= results && this.#bytes <= resultBytes) return;
    const settled = [...this.#futures].filter(([, { outcome }]) => outcome);
    let left = settled.length;
    for (const read of [true, false]) {
      for (const [id, future] of settled) {
        if (left <= 1 || (left <= results && this.#bytes <= resultBytes)) return;
        if (future.read !== read) continue;
        this.#futures.delete(id);
        this.#bytes -= future.bytes;
        left--;
      }
    }
  }
}

/** Roughly what an outcome holds in memory. */
function bytesOf(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'forwardBackward':
      return outcome.value.loss_fn_outputs.reduce((sum, { logprobs }) => sum + 4 * (logprobs?.data.length ?? 0), 1000);
    case 'sample':
      return outcome.value.sequences.reduce((sum, { tokens }) => sum + 8 * tokens.length, 1000);
    default:
      return 1000;
  }
}

/** Waits for either; nothing is left running. */
async function within(settled: Promise<unknown>, ms: number, gone: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    gone.addEventListener('abort', done, { once: true });
    settled.then(done);
  });
}
