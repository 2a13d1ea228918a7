/** The official verdict on a plan: eight commonsense checks, and five hard ones if it is complete and in the sandbox. */
import type { Json, RewardTerm } from '../../core/types.ts';
import { type Check, daysOf, failed, type Rule, run } from './check.ts';
import { COMMONSENSE, type CommonsenseCheck } from './commonsense.ts';
import type { Database } from './database.ts';
import { HARD, type HardCheck, totalCost } from './hard.ts';
import { isDict, truthy } from './python-values.ts';
import { hardTotal, type Query } from './query.ts';

export interface PlanVerdict {
  /** A plan that is null or empty is not delivered, and nothing of it is judged. */
  delivered: boolean;
  commonsense: Record<CommonsenseCheck, Check> | null;
  /** Null where the plan is incomplete or not in the sandbox: then every hard constraint counts as missed. */
  hard: Record<HardCheck, Check> | null;
  totalCost: number | null;
  /** How many hard constraints the query has, judged or not. */
  hardTotal: number;
}

/** Longer texts are nobody's plan, and would make substring tests slow. The longest of the annotated plans has 400. */
const MAX_TEXT = 8000;

export function scorePlan(query: Query, plan: Json, database: Database): PlanVerdict {
  const none = { commonsense: null, hard: null, totalCost: null, hardTotal: hardTotal(query) };
  if (!truthy(plan)) return { delivered: false, ...none };
  const rule: Rule | undefined = hasLongText(query, plan) ? () => failed('a text is too long') : undefined;
  const all = <K extends string>(rules: Record<K, Rule>): Record<K, Check> => {
    const checks = Object.entries<Rule>(rules).map(([name, own]) => [name, run(rule ?? own, query, plan, database)]);
    return Object.fromEntries(checks) as Record<K, Check>;
  };
  const commonsense = all(COMMONSENSE);
  const verdict = { ...none, delivered: true, commonsense };
  if (!commonsense.is_not_absent.pass || !commonsense.is_valid_information_in_sandbox.pass) return verdict;
  const hard = all(HARD);
  return { ...verdict, hard, totalCost: hard.valid_cost.error ? null : totalCost(query, plan, database) };
}

function hasLongText(query: Query, plan: Json): boolean {
  const isLong = (value: Json) => typeof value === 'string' && value.length > MAX_TEXT;
  if (!Array.isArray(plan)) return isLong(plan);
  return daysOf(query, plan).some((day) => isLong(day) || (isDict(day) && Object.values(day).some(isLong)));
}

const passes = (checks: Record<string, Check> | null): number =>
  checks ? Object.values(checks).filter(({ pass }) => pass === true).length : 0;

const allPass = (checks: Record<string, Check> | null): boolean =>
  checks !== null && Object.values(checks).every(({ pass }) => pass !== false);

/** What the metrics are made of. */
export interface Tally {
  delivered: boolean;
  /** Of eight. */
  commonsensePassed: number;
  hardPassed: number;
  hardTotal: number;
  commonsenseAll: boolean;
  hardAll: boolean;
  final: boolean;
}

export function tallyOf(verdict: PlanVerdict): Tally {
  const commonsenseAll = allPass(verdict.commonsense);
  const hardAll = allPass(verdict.hard);
  return {
    delivered: verdict.delivered,
    commonsensePassed: passes(verdict.commonsense),
    hardPassed: passes(verdict.hard),
    hardTotal: verdict.hardTotal,
    commonsenseAll,
    hardAll,
    final: commonsenseAll && hardAll,
  };
}

export const COMMONSENSE_TOTAL: number = Object.keys(COMMONSENSE).length;

/** R_agent: the share of the applicable checks that pass. It is 1 for a final pass and for nothing else. */
export function rewardOf({ commonsensePassed, hardPassed, hardTotal, final }: Tally): number {
  return final ? 1 : (commonsensePassed + hardPassed) / (COMMONSENSE_TOTAL + hardTotal);
}

/** The checks that the reward is a share of, one by one. */
export function termsOf({ delivered, commonsense, hard, hardTotal }: PlanVerdict): RewardTerm[] {
  const listed = (checks: Record<string, Check>): RewardTerm[] =>
    Object.entries(checks).map(([name, { pass, reason }]) => ({
      name,
      score: pass === null ? null : Number(pass),
      ...(reason === undefined ? {} : { detail: reason }),
    }));
  if (!delivered) return [{ name: 'a plan was delivered', score: 0 }];
  const missed: RewardTerm[] =
    hard || hardTotal === 0
      ? []
      : [
          {
            name: `hard constraints (${hardTotal})`,
            score: 0,
            detail: 'missed: the plan is incomplete or not in the sandbox',
          },
        ];
  return [...listed(commonsense ?? {}), ...listed(hard ?? {}), ...missed];
}
