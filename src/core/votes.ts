/**
 * Solver votes: what the attempts at a task answered, counted. Where most of them agree on something that is not the label,
 * the label may be what is wrong (METHOD: re-solve and vote).
 */
import { normalise } from './agent-reward.ts';
import { canonicalJson } from './content-id.ts';
import type { EvalSpec, Json, Trace } from './types.ts';

export interface Ballot {
  epoch: number;
  traces: readonly Pick<Trace, 'answer' | 'valid' | 'success'>[];
}

export interface Vote {
  /** One of the answers that are counted as the same. */
  answer: Json;
  count: number;
  /** Whether such an answer counts as a success: it is the label, or as good as it. */
  right: boolean;
  /** [epoch, how many], in order. */
  epochs: [epoch: number, count: number][];
}

export interface Votes {
  /** Most frequent first. */
  votes: Vote[];
  /** Attempts that gave an answer, and those that gave none that could be read. */
  answered: number;
  silent: number;
  /** The wrong answer that more than half of at least `QUORUM` attempts agree on. */
  against: Vote | null;
}

/** Fewer answers are no consensus. */
export const QUORUM = 4;

export function countVotes(ballots: readonly Ballot[], spec: EvalSpec): Votes {
  const found = new Map<string, Vote>();
  let [answered, silent] = [0, 0];
  for (const { epoch, traces } of ballots) {
    for (const { answer, valid, success } of traces) {
      if (!valid || answer === null) {
        silent++;
        continue;
      }
      answered++;
      const key = ballotKey(answer, spec);
      const vote = found.get(key) ?? { answer, count: 0, right: success, epochs: [] };
      vote.count++;
      const last = vote.epochs.at(-1);
      if (last?.[0] === epoch) last[1]++;
      else vote.epochs.push([epoch, 1]);
      found.set(key, vote);
    }
  }
  const votes = [...found.values()].sort((a, b) => b.count - a.count);
  const first = votes[0];
  const isConsensus = first !== undefined && answered >= QUORUM && 2 * first.count > answered;
  return { votes, answered, silent, against: isConsensus && !first.right ? first : null };
}

/** Answers that a reward can't tell apart are one: key order, the order of calls where any will do, words as they are compared. */
function ballotKey(answer: Json, spec: EvalSpec): string {
  if (spec.kind === 'text' && typeof answer === 'string') return normalise(answer);
  if (spec.kind === 'toolCalls' && spec.order === 'any' && Array.isArray(answer)) {
    return canonicalJson(answer.map(canonicalJson).sort());
  }
  return canonicalJson(answer);
}
