/** What the engine is told about a server, and what the rest of the program gives it to speak with its models. */
import type { Player } from '../../core/types.ts';
import type { Chat } from '../../tokens/chat.ts';
import type { Clock } from './clock.ts';
import type { Environment } from './secrets.ts';
import type { WireForm } from './wire-form.ts';

/** How conversations become ids for one model, and ids words and calls. */
export type ChatTokens = Pick<Chat, 'prompt' | 'stops' | 'read'>;

/** One player's model: an adapter on a base that the server holds. */
export interface PlayerSetup {
  /** The base model's name on the server. */
  base: string;
  chat: ChatTokens;
  /** Decides the adapter's first weights. */
  seed: number;
}

export interface ServerOptions {
  /** Address of the server, without `/api/v1`. */
  url: string;
  /** Name of the environment variable that holds the key; none is sent where it is not set. */
  keyEnv: string;
  /** How long a server may be down, busy or wrong before the run stops, to be resumed later. */
  maxOutageSeconds: number;
  /** JSON by default. Protobuf is smaller, and what newer clients send; not every server reads it. */
  wire?: WireForm;
  /** Told about pauses and recoveries, for the run's notes. */
  notice?: Notice;
  env?: Environment;
  clock?: Clock;
  times?: Partial<Times>;
}

/** How long things may take, in milliseconds. */
export interface Times {
  /** An answer to anything but a poll. */
  call: number;
  /** A poll; servers hold one for 45 s and up to 300 s. Beyond it the server is asked whether it is well. */
  poll: number;
  heartbeat: number;
  /** Between attempts at the same thing, at first and at most. */
  backoff: readonly [first: number, longest: number];
}

export const TIMES: Times = { call: 120_000, poll: 60_000, heartbeat: 10_000, backoff: [100, 30_000] };

export interface TinkerOptions extends ServerOptions {
  players: Record<Player, PlayerSetup>;
  loraRank: number;
  /** `portable` never uses a loss of the server but importance sampling. */
  losses: 'auto' | 'portable';
  /** A run in progress: made known to the server's own lists. */
  run?: string;
}

export type Notice = (kind: string, detail: string) => void;
