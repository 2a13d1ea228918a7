/** What one official check says of a plan, and what all of them read plans with. */
import type { Json } from '../../core/types.ts';
import type { Database } from './database.ts';
import { contains, equal, itemAt, itemOf, lengthOf, PythonError, subject, truthy } from './python-values.ts';
import type { Query } from './query.ts';
import { fromTo } from './text.ts';

export interface Check {
  /** Null where the check does not apply. */
  pass: boolean | null;
  /** Why it failed. */
  reason?: string;
  /** The exception that the official evaluator would end with; such a check counts as failed, and the others go on. */
  error?: string;
}

export type Rule = (query: Query, plan: Json, database: Database) => Check;

export const PASSED: Check = { pass: true };
export const NOT_APPLICABLE: Check = { pass: null };
export const failed = (reason: string): Check => ({ pass: false, reason });

/** Runs a check; an exception is a verdict. */
export function run(rule: Rule, query: Query, plan: Json, database: Database): Check {
  try {
    return rule(query, plan, database);
  } catch (error) {
    if (error instanceof PythonError) return { ...failed(error.message), error: error.name };
    // Values nested so deep that comparing them overflows: Python's recursion has the same limit.
    if (error instanceof RangeError) return { ...failed('nested too deeply'), error: 'RecursionError' };
    throw error;
  }
}

/** The days that are looked at: as many as were asked for, or as there are. */
export function daysOf(query: Query, plan: Json): Json[] {
  const count = Math.min(query.days, lengthOf(plan));
  return Array.from({ length: count }, (_, i) => itemAt(plan, i));
}

export const isSet = (value: Json): boolean => truthy(value) && !equal(value, '-');

export const isBlank = (value: Json): boolean => equal(value, '') || equal(value, '-');

/** The value of a key that may be missing; undefined where it is missing or not set. */
export function optional(day: Json, key: string): Json | undefined {
  if (!contains(day, key)) return undefined;
  const value = itemOf(day, key);
  return isSet(value) ? value : undefined;
}

/** The value of a key that must be there; undefined where it is not set. */
export function required(day: Json, key: string): Json | undefined {
  const value = itemOf(day, key);
  return isSet(value) ? value : undefined;
}

export const MEALS = ['breakfast', 'lunch', 'dinner'] as const;

/** The cities that a day's transportation connects: by its own text, else by the day's current city. */
export const legOf = (day: Json, transportation: Json): { from: string; to: string } | undefined =>
  fromTo(subject(transportation)) ?? fromTo(subject(itemOf(day, 'current_city')));

/** What stands between the first label and the next comma. The label's case matters here, though not where it is looked for. */
export function flightNumber(text: string): string {
  const after = text.split('Flight Number: ')[1];
  if (after === undefined) throw new PythonError('IndexError', 'no "Flight Number: " in the transportation');
  return after.split(',')[0]!;
}

/** By which means a transportation text travels, as sandbox and budget see it: other texts are neither checked nor paid. */
export function meansOf(text: string): 'flight' | 'self-driving' | 'taxi' | undefined {
  const lower = text.toLowerCase();
  if (lower.includes('flight number')) return 'flight';
  if (lower.includes('self-driving')) return 'self-driving';
  return lower.includes('taxi') ? 'taxi' : undefined;
}
