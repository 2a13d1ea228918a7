/** How much the server takes on. What it holds is memory of this machine; what it waits for is a client's to keep alive. */
import { WIRE_LIMITS, type WireLimits } from '../wire/limits.ts';

export interface ServerLimits extends WireLimits {
  sessions: number;
  /** Models being trained, of all sessions. */
  models: number;
  /** Frozen weights held to sample from; the longest unused are let go first. */
  samplers: number;
  /** Calls under way. */
  pending: number;
  /** Results kept until their clients have read them, and a while longer: the oldest go first. */
  results: number;
  resultBytes: number;
  connections: number;
  /** A session without a sign of life for this long is ended. */
  sessionMs: number;
  /** A question about a future is held open this long. */
  holdMs: number;
  /** How long a call waits for the one before it in its model's order. */
  gapMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  ...WIRE_LIMITS,
  sessions: 256,
  models: 8,
  samplers: 16,
  pending: 8192,
  results: 4096,
  resultBytes: 256 << 20,
  connections: 4096,
  sessionMs: 10 * 60_000,
  holdMs: 40_000,
  gapMs: 60_000,
};
