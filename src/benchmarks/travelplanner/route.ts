/** The cities a plan goes through, as the route check and the count of cities read them. */
import type { Json } from '../../core/types.ts';
import { type Check, daysOf, failed, PASSED, type Rule } from './check.ts';
import { contains, itemOf, PythonError, subject } from './python-values.ts';
import type { Query } from './query.ts';
import { fromTo, stripParen } from './text.ts';

/** The one or two cities of a day. A day that says `from` but names no pair is an exception in the official evaluator. */
export function citiesOf(day: Json): [string] | [string, string] {
  const current = itemOf(day, 'current_city');
  if (!contains(current, 'from')) return [stripParen(subject(current))];
  const leg = fromTo(subject(current));
  if (!leg) throw new PythonError('TypeError', `"${subject(current).slice(0, 80)}" is no "from A to B"`);
  return [stripParen(leg.from), stripParen(leg.to)];
}

/** All cities in order, or why there is no route: a first day that travels must leave from the origin. */
export function routeOf(query: Query, plan: Json): string[] | Check {
  const route: string[] = [];
  for (const [i, day] of daysOf(query, plan).entries()) {
    const cities = citiesOf(day);
    if (i === 0 && cities.length === 2 && cities[0] !== query.org)
      return failed(`the trip starts in ${cities[0]}, not in ${query.org}`);
    route.push(...cities);
  }
  return route;
}

/** Reasonable City Route. */
export const reasonableRoute: Rule = (query, plan, database) => {
  const route = routeOf(query, plan);
  if (!Array.isArray(route)) return route;
  if (route[0] !== route.at(-1)) return failed('the trip does not end where it starts');
  const problem = sequenceProblem(route);
  if (problem) return failed(problem);
  for (const [i, city] of route.entries()) {
    const state = database.stateOf(city);
    if (state === undefined) return failed(`${city} is not a known city`);
    const inside = i > 0 && i < route.length - 1;
    if (inside && query.days > 3 && state !== query.dest) return failed(`${city} is not in ${query.dest}`);
  }
  return PASSED;
};

/** A city is stayed in once, and for more than one mention. */
function sequenceProblem(route: readonly string[]): string | undefined {
  if (route.length < 3) return 'the trip has fewer than three stops';
  const last = route.length - 1;
  const seen = new Set<string>();
  for (let i = 0; i <= last; ) {
    const start = i;
    const city = route[start]!;
    if (seen.has(city) && start !== 0 && start !== last) return `${city} is visited twice`;
    while (i <= last && route[i] === city) i++;
    if (i - start === 1 && start > 0 && start < last) return `${city} is only passed through`;
    seen.add(city);
  }
  return undefined;
}
