/** A conversation as ids, and what comes back as words and calls: what an engine needs to talk to a model. */
import type { Message, ToolSpec } from '../core/types.ts';
import type { Reply } from './reply.ts';

export interface Chat {
  /** The conversation and the opening of the assistant's turn. Turns that were sampled are spliced in as the ids they were. */
  prompt(messages: readonly Message[], tools: readonly ToolSpec[]): Int32Array;
  /** The id that ends the assistant's turn. */
  readonly end: number;
  /** All ids that end it: tool calls may have their own. */
  readonly stops: readonly number[];
  /** What was sampled, without the id that ended it. */
  read(tokens: Int32Array): Reply;
}

/** Sampled ids without the one that ended them. */
export const withoutStop = (tokens: Int32Array, stops: readonly number[]): Int32Array =>
  tokens.length > 0 && stops.includes(tokens.at(-1)!) ? tokens.subarray(0, -1) : tokens;
