/** What can go wrong with one attempt, and what follows from it. */
import { EngineStopped } from '../../core/engine.ts';

export type FaultKind =
  | 'unreachable'
  | 'timeout'
  | 'unavailable'
  | 'unreadable'
  | 'badAnswer'
  | 'serverError'
  | 'busy'
  | 'refused'
  | 'tooLarge'
  | 'notFound'
  | 'unauthorized'
  | 'outOfCredit';

interface Consequence {
  /** `patient`: as long as the server may be out. `counted`: as often as `maxRetries`. */
  retry: 'patient' | 'counted' | 'never';
  /** Whether the model server itself has spoken; a series of silent failures is an outage. */
  alive: boolean;
  /** Whether fewer requests in flight might help. */
  slowDown: boolean;
  /** Whether every other request would meet the same. */
  stops: boolean;
}

const consequence = (retry: Consequence['retry'], alive: boolean, slowDown: boolean, stops = false): Consequence => ({
  retry,
  alive,
  slowDown,
  stops,
});

export const CONSEQUENCES: Record<FaultKind, Consequence> = {
  unreachable: consequence('counted', false, true),
  timeout: consequence('counted', false, true),
  unavailable: consequence('counted', false, true),
  unreadable: consequence('counted', false, false),
  badAnswer: consequence('counted', true, false),
  serverError: consequence('counted', true, false),
  busy: consequence('patient', true, true),
  refused: consequence('never', true, false),
  tooLarge: consequence('never', true, false),
  notFound: consequence('never', true, false, true),
  unauthorized: consequence('never', true, false, true),
  outOfCredit: consequence('never', true, false, true),
};

export interface FaultFacts {
  status?: number;
  retryAfterMs?: number | undefined;
  unanswered?: boolean;
}

/** A request that failed for good. Its message holds no secret. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault';
  readonly kind: FaultKind;
  readonly status: number | undefined;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** Whether the connection broke before a word of an answer. */
  readonly unanswered: boolean;

  constructor(kind: FaultKind, message: string, more: FaultFacts = {}) {
    super(message);
    this.kind = kind;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
    this.unanswered = more.unanswered ?? false;
  }
}

/** A fault that every other request would meet too. */
export class ServerStopped extends EngineStopped {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
