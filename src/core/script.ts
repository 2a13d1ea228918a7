/**
 * A script makes a tabular policy look like a language model. A reply is a sequence of decisions, each a draw from one row
 * of a table of logits; the script says which decisions a prompt asks for and what text the choices amount to.
 */
import type { Rng } from './rng.ts';
import type { Message } from './types.ts';

export interface Script {
  /** The table at the start: row name → logits. */
  readonly rows: Readonly<Record<string, readonly number[]>>;
  /** The rows a reply to these messages draws from, in order. */
  decisions(messages: readonly Message[]): string[];
  text(messages: readonly Message[], choices: Int32Array, rng: Rng): string;
}
