/** What can go wrong between us and a server, and what follows from it. */

export type FaultKind =
  /** No answer, or none in time, or not one a Tinker server gives: another try may go well. */
  | 'unreachable'
  | 'timeout'
  | 'unreadable'
  | 'unavailable'
  | 'busy'
  /** The key or the account: nothing goes on until a person has seen to it. */
  | 'unauthorized'
  | 'unpaid'
  /** The server does not know the session, model or future any more. */
  | 'lost'
  /** A sequence number or a name is taken: our picture of the server's state is wrong. */
  | 'conflict'
  /** The same request would be refused again. */
  | 'refused'
  /** The server failed while it worked on the request. */
  | 'failed'
  /** An answer in the right form with wrong content: lengths, numbers, stop reasons. */
  | 'badAnswer';

const PASSING: ReadonlySet<FaultKind> = new Set(['unreachable', 'timeout', 'unreadable', 'unavailable', 'busy']);

/** Its message holds no secret. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly kind: FaultKind;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** Of the HTTP answer, where there was one. */
  readonly status: number | undefined;

  constructor(kind: FaultKind, message: string, more: { retryAfterMs?: number | undefined; status?: number } = {}) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs;
    this.status = more.status;
  }

  /** Whether the same request may succeed another time. */
  get passes(): boolean {
    return PASSING.has(this.kind);
  }
}

export function kindOf(status: number): FaultKind {
  switch (status) {
    case 401:
    case 403:
      return 'unauthorized';
    case 402:
      return 'unpaid';
    case 404:
    case 410:
      return 'lost';
    case 409:
      return 'conflict';
    case 408:
    case 425:
      return 'unavailable';
    case 429:
      return 'busy';
    default:
      return status >= 500 ? 'unavailable' : 'refused';
  }
}
