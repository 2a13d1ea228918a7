/** One request and its answer over one connection, with an end to how long and how large it may be. */
import type { Dispatcher } from 'undici';
import { onAbort } from './abort.ts';
import { ServerFault } from './fault.ts';
import type { HttpAnswer } from './status.ts';

export interface ExchangeOptions {
  origin: string;
  path: string;
  method: 'GET' | 'POST';
  headers: string[];
  body: string | null;
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

/** Rejects with a ServerFault, or with the signal's reason. */
export function exchange(dispatcher: Dispatcher, options: ExchangeOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new Exchange(options, resolve, reject);
    const { origin, path, method, headers, body } = options;
    dispatcher.dispatch({ origin, path, method, headers, body }, handler);
  });
}

/** A class because undici calls its methods for every request: one shape, nothing bound anew. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #forget: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #ended = false;
  #answer: HttpAnswer = { status: 0, contentType: '', retryAfter: '', location: '', text: '' };
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(options: ExchangeOptions, resolve: (answer: HttpAnswer) => void, reject: (reason: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    const { timeoutMs, signal } = options;
    this.#timer = setTimeout(() => {
      this.#fail(new ServerFault('timeout', `no answer within ${Math.round(timeoutMs) / 1000} s`));
    }, timeoutMs);
    this.#forget = signal && onAbort(signal, (reason) => this.#fail(reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('no longer wanted'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx only announces an answer.
    if (status < 200) return;
    const text = (name: string) => {
      const value = headers[name];
      return typeof value === 'string' ? value : (value?.[0] ?? '');
    };
    this.#answer = {
      status,
      contentType: text('content-type'),
      retryAfter: text('retry-after'),
      location: text('location'),
      text: '',
    };
    if (Number(text('content-length')) > this.#options.maxBytes) this.#tooLarge();
    const encoding = text('content-encoding');
    if (encoding !== '' && encoding !== 'identity') {
      this.#fail(
        new ServerFault('unreadable', `the answer is compressed (${encoding.slice(0, 20)}) without being asked`),
      );
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#options.maxBytes) this.#tooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#ended) return;
    this.#end();
    const [first = Buffer.alloc(0), ...rest] = this.#chunks;
    this.#answer.text = (rest.length === 0 ? first : Buffer.concat(this.#chunks)).toString('utf8');
    this.#resolve(this.#answer);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#ended) return;
    this.#end();
    const unanswered = this.#answer.status === 0;
    const when = unanswered ? '' : ' in the middle of its answer';
    this.#reject(new ServerFault('unreachable', `the connection failed${when}: ${reasonOf(error)}`, { unanswered }));
  }

  #tooLarge(): void {
    const limit = this.#options.maxBytes;
    this.#fail(new ServerFault('tooLarge', `the answer is larger than ${limit} bytes`));
  }

  #fail(reason: unknown): void {
    if (this.#ended) return;
    this.#end();
    this.#chunks = [];
    this.#reject(reason);
    this.#controller?.abort(new Error('no longer wanted'));
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#forget?.();
  }
}

/** `ECONNREFUSED` says more than the sentence around it; several addresses may each have failed. */
function reasonOf(error: Error & { code?: unknown; errors?: unknown }): string {
  const first = Array.isArray(error.errors) ? error.errors[0] : undefined;
  const told = first instanceof Error ? first : error;
  const code = (told as { code?: unknown }).code;
  return told.message || (typeof code === 'string' ? code : 'unknown reason');
}
