/** The world of a travel task: it reads one reply, and judges the plan in it by the official checks. */
import type { TextWorld } from '../../core/benchmark.ts';
import type { Json, Task } from '../../core/types.ts';
import { planIn } from './answer.ts';
import { cleanPlan } from './clean.ts';
import type { Database } from './database.ts';
import type { Query } from './query.ts';
import { type PlanVerdict, rewardOf, scorePlan, tallyOf, termsOf } from './score.ts';
import { goalQuery } from './tasks.ts';

export interface JudgeOptions {
  /** Take plans as they stand, without clean-ups. */
  strict: boolean;
}

/** The verdict on an output: what a model wrote, or a plan. */
export function judgeOutput(
  query: Query,
  output: Json | undefined,
  database: Database,
  options: JudgeOptions,
): PlanVerdict {
  const plan = planIn(output);
  return scorePlan(query, options.strict ? plan : cleanPlan(plan, database), database);
}

export function worldOf(task: Task, database: Database, options: JudgeOptions): TextWorld | undefined {
  const goal = goalQuery(task);
  if (!goal) return undefined;
  let last: { answer: Json; verdict: PlanVerdict } | undefined;
  const verdictOn = (answer: Json) => {
    if (last?.answer !== answer) last = { answer, verdict: judgeOutput(goal.query, answer, database, options) };
    return last.verdict;
  };
  return {
    say: () => ({ content: '', done: true }),
    judge: (answer) => rewardOf(tallyOf(verdictOn(answer))),
    terms: (answer) => termsOf(verdictOn(answer)),
  };
}
