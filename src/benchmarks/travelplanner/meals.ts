/** The cheapest meals of a trip: three for the full day in each city, and as many more as the cuisines ask for. */
import type { Restaurant } from './database.ts';

/** A full day's meals, and those of the day of arrival. */
const MIN_MEALS = 3;
const MAX_MEALS = 6;

interface Choice {
  cost: number;
  rows: Restaurant[];
}

/** Per city, in order, the restaurants of its full day first; undefined where the cuisines cannot be had. Costs are for one. */
export function cheapestMeals(
  cities: readonly string[],
  cuisines: readonly string[],
  restaurantsIn: (city: string) => readonly Restaurant[],
): { cost: number; byCity: Restaurant[][] } | undefined {
  let best = new Map<number, { cost: number; byCity: Restaurant[][] }>([[0, { cost: 0, byCity: [] }]]);
  for (const city of cities) {
    const next = new Map<number, { cost: number; byCity: Restaurant[][] }>();
    const choices = choicesIn(restaurantsIn(city), cuisines);
    for (const [served, { cost, byCity }] of best) {
      for (const [mask, choice] of choices) {
        const all = served | mask;
        const total = cost + choice.cost;
        if (total < (next.get(all)?.cost ?? Number.POSITIVE_INFINITY))
          next.set(all, { cost: total, byCity: [...byCity, choice.rows] });
      }
    }
    best = next;
  }
  return best.get((1 << cuisines.length) - 1);
}

/** For every set of cuisines that a city can serve, the cheapest choice of three to six restaurants that serves it. */
function choicesIn(restaurants: readonly Restaurant[], cuisines: readonly string[]): Map<number, Choice> {
  // byCount[n] has the cheapest choices of n, by the cuisines they serve.
  const byCount = Array.from({ length: MAX_MEALS + 1 }, () => new Map<number, Choice>());
  byCount[0]!.set(0, { cost: 0, rows: [] });
  for (const row of restaurants) {
    const own = cuisines.reduce((mask, cuisine, bit) => (row.cuisines.includes(cuisine) ? mask | (1 << bit) : mask), 0);
    for (let count = MAX_MEALS; count > 0; count--) {
      for (const [mask, choice] of byCount[count - 1]!) {
        const cost = choice.cost + row.cost;
        const known = byCount[count]!.get(mask | own);
        if (!known || cost < known.cost) byCount[count]!.set(mask | own, { cost, rows: [...choice.rows, row] });
      }
    }
  }
  const choices = new Map<number, Choice>();
  for (const enough of byCount.slice(MIN_MEALS)) {
    for (const [mask, choice] of enough) {
      if (choice.cost < (choices.get(mask)?.cost ?? Number.POSITIVE_INFINITY)) choices.set(mask, choice);
    }
  }
  return choices;
}
