/** The answers that the attempts at a task gave, counted over epochs: read when asked for, because bodies are heavy. */
import { canonicalJson } from '../core/content-id.ts';
import { countVotes, type Vote } from '../core/votes.ts';
import type { RunReader } from '../store/index.ts';
import type { VotePage } from './api.ts';

/** The last ones say most, and each is a body to unpack. */
const MOST_GROUPS = 60;
const MOST_VOTES = 30;
const LONGEST_ANSWER = 4000;

export function votePage(reader: RunReader, taskId: string): VotePage | null {
  const task = reader.task(taskId);
  if (!task) return null;
  const outcomes = reader.passport(taskId)?.outcomes ?? [];
  const read = outcomes.slice(-MOST_GROUPS);
  const ballots = read.flatMap(({ epoch, role }) => reader.group(epoch, taskId, role) ?? []);
  const { votes, answered, silent, against } = countVotes(ballots, task.eval);
  return {
    votes: votes.slice(0, MOST_VOTES).map(viewOf),
    others: votes.slice(MOST_VOTES).reduce((sum, { count }) => sum + count, 0),
    answered,
    silent,
    against: against && viewOf(against),
    skipped: outcomes.length - read.length,
  };
}

/** A long answer is cut, as text. */
function viewOf({ answer, ...vote }: Vote): Vote {
  const text = typeof answer === 'string' ? answer : canonicalJson(answer);
  return { ...vote, answer: text.length > LONGEST_ANSWER ? `${text.slice(0, LONGEST_ANSWER)}…` : answer };
}
