/**
 * The calls of one model in the order of their numbers, however they arrive, each once: a number that comes again gets the
 * ticket of the first time. One runs when the one before it is done.
 */
import type { Futures, Outcome } from './futures.ts';
import { Refusal } from './refusal.ts';

interface Known {
  call: string;
  ticket: string;
}

/** Numbers remembered for clients that ask twice. */
const REMEMBERED = 4096;

export class CallOrder {
  readonly #futures: Futures;
  readonly #gapMs: number;
  readonly #known = new Map<number, Known>();
  /** Calls that are here before their turn, and numbers that were refused and hold nobody up. */
  readonly #waiting = new Map<number, () => void>();
  readonly #skipped = new Set<number>();
  #next = 1;
  #last: Promise<unknown> = Promise.resolve();
  #closed: Refusal | null = null;

  constructor(futures: Futures, gapMs: number) {
    this.#futures = futures;
    this.#gapMs = gapMs;
  }

  /** The ticket of a number that was seen before. */
  known(seq: number, call: string): string | null {
    const known = this.#known.get(seq);
    if (known && known.call !== call)
      throw new Refusal(409, `seq_id ${seq} of this model was ${known.call}; ${call} needs a number of its own.`);
    if (!known && seq < this.#next) {
      throw this.#skipped.has(seq)
        ? new Refusal(409, `seq_id ${seq} was refused or given up: go on with the next number.`)
        : new Refusal(410, `seq_id ${seq} was answered long ago, and its result is gone.`);
    }
    return known?.ticket ?? null;
  }

  submit(seq: number, call: string, work: (signal: AbortSignal) => Promise<Outcome>): string {
    if (this.#closed) throw this.#closed;
    const ticket = this.#futures.open((signal) => this.#inTurn(seq, () => work(signal)));
    this.#known.set(seq, { call, ticket });
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    return ticket;
  }

  /** A number whose call was refused: those behind it need not wait. */
  skip(seq: number): void {
    if (seq < this.#next || this.#known.has(seq) || this.#skipped.size >= REMEMBERED) return;
    this.#skipped.add(seq);
    this.#advance();
  }

  /** Lets what is running finish; what waits, and what comes, is told why not. */
  async close(reason: Refusal): Promise<void> {
    this.#closed = reason;
    for (const wake of this.#waiting.values()) wake();
    await this.#last;
  }

  async #inTurn(seq: number, work: () => Promise<Outcome>): Promise<Outcome> {
    if (seq !== this.#next) await this.#turn(seq);
    if (this.#closed) throw this.#closed;
    this.#next = seq + 1;
    const run = this.#last.then(work);
    this.#last = run.catch(() => {});
    this.#advance();
    return run;
  }

  #turn(seq: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(seq);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(seq);
        this.#known.delete(seq);
        const missing = this.#next;
        reject(
          new Refusal(409, `seq_id ${seq} waited for ${missing}, which did not come: calls are numbered without gaps.`),
        );
      }, this.#gapMs);
      timer.unref();
      this.#waiting.set(seq, done);
    });
  }

  #advance(): void {
    while (this.#skipped.has(this.#next)) this.#next++;
    this.#waiting.get(this.#next)?.();
  }
}
