/** The per-turn verdict: the calls of a reply against the calls of the turn, exactly. */
import type { Call } from './calls.ts';
import { canonicalCall } from './calls.ts';
import type { Toolbox } from './function-doc.ts';

/** A target in the form in which it is compared: worked out once, used for every reply. */
export type Target = readonly string[];

export const targetOf = (calls: readonly Call[], tools: Toolbox): Target =>
  calls.map((call) => canonicalCall(call, tools));

export interface TurnVerdict {
  /** The same calls in the same order: the primary metric. */
  ordered: boolean;
  /** The same calls in any order. */
  unordered: boolean;
  reason?: string;
}

/** No call is right where none is wanted, and only there. Calls that cannot be read are wrong everywhere. */
export function judgeCalls(calls: readonly Call[] | undefined, target: Target, tools: Toolbox): TurnVerdict {
  if (calls === undefined) return { ordered: false, unordered: false, reason: 'the calls cannot be read' };
  if (calls.length !== target.length)
    return { ordered: false, unordered: false, reason: `${count(calls.length)} instead of ${target.length}` };
  const given = targetOf(calls, tools);
  const different = given.findIndex((call, i) => call !== target[i]);
  if (different < 0) return { ordered: true, unordered: true };
  const wanted = target.toSorted();
  const unordered = given.toSorted().every((call, i) => call === wanted[i]);
  if (unordered) return { ordered: false, unordered, reason: 'the calls are right but in another order' };
  return {
    ordered: false,
    unordered,
    reason: `call ${different + 1} is ${short(given[different]!)}, not ${short(target[different]!)}`,
  };
}

const count = (n: number) => (n === 0 ? 'no call' : n === 1 ? '1 call' : `${n} calls`);

const short = (call: string) => (call.length <= 120 ? call : `${call.slice(0, 119)}…`);
