import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/types.ts';
import { changed, fixtureDatabase, NO_WISHES, PLAN, QUERY } from './fixtures.ts';
import type { Query } from './query.ts';
import { rewardOf, scorePlan, tallyOf, termsOf } from './score.ts';

const database = fixtureDatabase();
const judge = (plan: unknown, query: Partial<Query> = {}) => scorePlan({ ...QUERY, ...query }, plan as Json, database);
/** The names of the checks that fail, hard ones included. */
const failing = (plan: unknown, query: Partial<Query> = {}) => {
  const { commonsense, hard } = judge(plan, query);
  return Object.entries({ ...commonsense, ...hard }).flatMap(([name, { pass }]) => (pass === false ? [name] : []));
};
const wishing = (wishes: Partial<Query['local_constraint']>) => ({ local_constraint: { ...NO_WISHES, ...wishes } });

describe('the terms of a reward', () => {
  it('are the checks, with why they failed', () => {
    const terms = termsOf(judge(PLAN));
    expect(terms.filter(({ score }) => score === 1)).toHaveLength(9);
    expect(terms.every(({ score }) => score !== 0)).toBe(true);
    expect(termsOf(judge(PLAN, { budget: 1 })).find(({ name }) => name === 'valid_cost')).toMatchObject({ score: 0 });
  });

  it('say where no plan was delivered, and where the hard checks were not reached', () => {
    expect(termsOf(judge(null))).toEqual([{ name: 'a plan was delivered', score: 0 }]);
    expect(termsOf(judge([{}])).at(-1)).toMatchObject({ name: 'hard constraints (1)', score: 0 });
  });
});

describe('a good plan', () => {
  it('passes all checks that apply, and its cost is added up from the tables', () => {
    const verdict = judge(PLAN);
    expect(failing(PLAN)).toEqual([]);
    expect(verdict.totalCost).toBe(200 + 12 + 10 + 11 + 15 + 100);
    expect(tallyOf(verdict)).toMatchObject({ commonsensePassed: 8, hardPassed: 1, hardTotal: 1, final: true });
    expect(rewardOf(tallyOf(verdict))).toBe(1);
  });

  it('may be padded with empty days', () => {
    expect(failing([...PLAN, {}, {}, {}, {}])).toEqual([]);
  });

  it('stays good however its keys are ordered', () => {
    const day = fc.tuple(
      ...PLAN.map((own) => fc.shuffledSubarray(Object.keys(own), { minLength: Object.keys(own).length })),
    );
    fc.assert(
      fc.property(day, (orders) => {
        const plan = orders.map((keys, i) => Object.fromEntries(keys.map((key) => [key, PLAN[i]![key]!])));
        expect(judge(plan)).toEqual(judge(PLAN));
      }),
    );
  });
});

describe('a plan that is not there', () => {
  it.each([[null], [[]], [{}], ['']])('%j is not delivered and nothing of it is judged', (plan) => {
    expect(judge(plan)).toEqual({ delivered: false, commonsense: null, hard: null, totalCost: null, hardTotal: 1 });
    expect(rewardOf(tallyOf(judge(plan)))).toBe(0);
  });
});

describe('the route', () => {
  it('must close, start at the origin and know its cities', () => {
    const name = 'is_reasonable_visiting_city';
    expect(failing(changed(3, { current_city: 'Dover' }))).toContain(name);
    expect(failing(PLAN, { org: 'Perth' })).toEqual(expect.arrayContaining([name, 'is_not_absent']));
    expect(failing(changed(2, { current_city: 'Atlantis' }))).toContain(name);
  });

  it('stays in the state that longer trips ask for, and visits a city once', () => {
    const long = (first: string, second: string) =>
      [`from Salem to ${first}`, first, `from ${first} to ${second}`, second, `from ${second} to Salem`].map(
        (current_city) => ({ ...PLAN[1], current_city, transportation: `Taxi, ${current_city}` }),
      );
    const query = { days: 5, dest: 'Newland', visiting_city_number: 2 };
    const route = (plan: Json[]) => judge(plan, query).commonsense?.is_reasonable_visiting_city.pass;
    expect(route(long('Dover', 'Troy'))).toBe(true);
    expect(route(long('Dover', 'Bath'))).toBe(false);
    expect(route([...long('Dover', 'Troy').slice(0, 4), { ...PLAN[1], current_city: 'from Dover to Salem' }])).toBe(
      false,
    );
  });

  it('takes a state in parentheses off a city, but not the space before it', () => {
    expect(failing(changed(2, { current_city: 'Dover(Newland)' }))).toEqual([]);
    expect(failing(changed(2, { current_city: 'Dover (Newland)' }))).toContain('is_reasonable_visiting_city');
  });
});

describe('diversity', () => {
  it('compares meals letter by letter', () => {
    expect(failing(changed(2, { dinner: 'French Door, Dover' }))).toEqual(['is_valid_restaurants']);
    expect(failing(changed(2, { dinner: 'French Door,  Dover' }))).toEqual([]);
  });

  it('looks at attractions that end with a semicolon only', () => {
    expect(failing(changed(2, { attraction: 'Old Mill, Dover;Old Mill, Dover;' }))).toEqual(['is_valid_attractions']);
    expect(failing(changed(2, { attraction: 'Nowhere, Dover' }))).toEqual([]);
  });
});

describe('minimum nights', () => {
  it('counts runs of equal texts', () => {
    expect(failing(changed(2, { accommodation: 'Big loft, Dover' }))).toEqual(['is_valid_accommodation']);
    expect(failing(changed(2, { accommodation: 'Quiet  attic, Dover' }))).toContain('is_valid_accommodation');
  });

  it('is not checked where a text fits several places', () => {
    const plan = changed(2, { accommodation: 'o, Dover' }, changed(1, { accommodation: 'o, Dover' }) as JsonObject[]);
    expect(failing(plan)).toEqual([]);
  });

  it('does not know places with a missing field', () => {
    expect(failing(changed(2, { accommodation: 'No rules told, Dover' }))).toContain('is_valid_information_in_sandbox');
  });
});

describe('transportation', () => {
  it('may not mix a car with flights or taxis; flights and taxis go together', () => {
    const name = 'is_valid_transportation';
    expect(failing(changed(3, { transportation: 'Self-driving, from Dover to Salem' }))).toEqual([name]);
    expect(failing(changed(3, { transportation: 'Taxi, from Dover to Salem' }), { budget: 2000 })).toEqual([]);
    expect(failing(changed(1, { transportation: '-' }))).toEqual([name, 'is_not_absent']);
  });
});

describe('the current city', () => {
  const name = 'is_valid_information_in_current_city';

  it('is taken letter by letter on a day in one city, so that a meal elsewhere passes', () => {
    expect(failing(changed(2, { dinner: 'Indian Door, Troy' }))).toEqual([]);
    expect(failing(changed(2, { transportation: 'Taxi around' }))).toContain(name);
    expect(failing(changed(2, { transportation: 'Drive over there' }))).toEqual([]);
  });

  it('is one of two on a day of travel, and the last of them for the night', () => {
    expect(failing(changed(1, { dinner: 'Indian Door, Troy' }))).toEqual([name]);
    expect(failing(changed(3, { dinner: 'Indian Door, Dover' }))).toEqual([]);
    expect(failing(changed(3, { accommodation: 'Quiet attic, Dover' }))).toEqual([name]);
  });
});

describe('the sandbox', () => {
  const name = 'is_valid_information_in_sandbox';

  it('finds names by a part of them, case-sensitively, in exactly that city', () => {
    expect(failing(changed(2, { dinner: 'Medi, Dover' }))).toEqual([]);
    expect(failing(changed(2, { dinner: 'medi, Dover' }))).toContain(name);
    expect(failing(changed(2, { dinner: 'Medi, Dover; Cost: 14' }))).toContain(name);
  });

  it('knows flights by number and cities, and drives of less than a day', () => {
    const flight = 'Flight Number: F9, from Salem to Dover, Departure Time: 08:00';
    expect(failing(changed(1, { transportation: flight }))).toContain(name);
    expect(failing(changed(1, { transportation: 'Taxi, from Salem to Bath' }))).toContain(name);
    expect(judge(changed(1, { transportation: flight })).hard).toBeNull();
  });

  it('lets pass what is neither a flight nor a drive', () => {
    expect(failing(changed(2, { transportation: 'A Drove of oxen' }))).toEqual([]);
  });
});

describe('complete information', () => {
  const name = 'is_not_absent';

  it('asks for every day, key, meal, attraction and night', () => {
    expect(failing(PLAN.slice(0, 2))).toContain(name);
    for (const key of ['breakfast', 'attraction', 'accommodation']) {
      expect(failing(changed(2, { [key]: '-' }))).toContain(name);
      expect(failing(changed(2, { [key]: undefined }))).toContain(name);
    }
    expect(failing(changed(3, { transportation: '' }))).toContain(name);
  });

  it('counts the cities', () => {
    expect(failing(PLAN, { visiting_city_number: 2 })).toEqual([name]);
  });
});

describe('what the official evaluator raises on', () => {
  const errors = (plan: unknown) => Object.values(judge(plan).commonsense ?? {}).flatMap(({ error }) => error ?? []);

  it('fails that check alone and is recorded by the name of the exception', () => {
    const plan = changed(1, { transportation: undefined });
    expect(failing(plan)).toEqual(
      expect.arrayContaining(['is_valid_transportation', 'is_valid_information_in_sandbox']),
    );
    expect(new Set(errors(plan))).toEqual(new Set(['KeyError']));
    expect(errors(changed(1, { transportation: 'flight number: F1, from Salem to Dover' }))).toEqual(['IndexError']);
    expect(new Set(errors(changed(2, { current_city: 'from Dover' })))).toEqual(new Set(['TypeError']));
    expect(new Set(errors(changed(2, { attraction: ['Old Mill'] })))).toEqual(new Set(['AttributeError']));
  });

  it('is never a crash of ours', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat({ max: 2 }),
        fc.constantFrom(...Object.keys(PLAN[0]!)),
        (value, i, key) => {
          expect(judge(changed(i + 1, { [key]: value as Json })).delivered).toBe(true);
          judge(value);
          judge([value, value, value]);
        },
      ),
    );
    let deep: Json = 'x';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(failing(changed(2, { lunch: deep, dinner: structuredCloneDeep(deep) }))).toContain('is_valid_restaurants');
    expect(failing(changed(2, { dinner: 'x'.repeat(1e7) }))).toHaveLength(8);
    expect(failing([JSON.parse('{"__proto__": 1, "constructor": "-"}')])).toContain('is_not_absent');
  });
});

/** As deep as it gets: a copy without recursion. */
function structuredCloneDeep(value: Json): Json {
  let depth = 0;
  let inner = value;
  while (Array.isArray(inner)) {
    inner = inner[0]!;
    depth++;
  }
  let copy: Json = inner;
  for (let i = 0; i < depth; i++) copy = [copy];
  return copy;
}

describe('hard constraints', () => {
  it('hold the budget to the dollar', () => {
    expect(failing(PLAN, { budget: 348 })).toEqual([]);
    expect(failing(PLAN, { budget: 347 })).toEqual(['valid_cost']);
  });

  it('book seats, rooms, cars and taxis for everyone', () => {
    const cost = (people_number: number, transportation: string) =>
      judge(
        changed(
          1,
          { transportation: `${transportation}, from Salem to Dover` },
          changed(3, {
            transportation: `${transportation}, from Dover to Salem`,
          }) as JsonObject[],
        ),
        { people_number, budget: 1e6 },
      ).totalCost;
    const meals = 12 + 10 + 11 + 15;
    expect(cost(5, 'Self-driving')).toBe(2 * 60 + 5 * meals + 2 * 3 * 50);
    expect(cost(6, 'Self-driving')).toBe(2 * 60 * 2 + 6 * meals + 2 * 3 * 50);
    expect(cost(5, 'Taxi')).toBe(2 * 1219 * 2 + 5 * meals + 2 * 3 * 50);
    expect(judge(PLAN, { people_number: 3, budget: 1e6 }).totalCost).toBe(3 * 200 + 3 * meals + 2 * 2 * 50);
  });

  it('respect house rules and room types', () => {
    expect(failing(PLAN, wishing({ 'house rule': 'smoking' }))).toEqual(['valid_room_rule']);
    expect(failing(PLAN, wishing({ 'house rule': 'pets' }))).toEqual([]);
    expect(failing(PLAN, wishing({ 'room type': 'entire room' }))).toEqual(['valid_room_type']);
    expect(failing(PLAN, wishing({ 'room type': 'shared room' }))).toEqual(['valid_room_type']);
    expect(failing(PLAN, wishing({ 'room type': 'not shared room' }))).toEqual([]);
    expect(failing(PLAN, wishing({ 'room type': 'private room' }))).toEqual([]);
  });

  it('want every cuisine somewhere; a meal in the city of origin ends the day', () => {
    expect(failing(PLAN, wishing({ cuisine: ['French', 'American'] }))).toEqual([]);
    expect(failing(PLAN, wishing({ cuisine: ['French', 'Indian'] }))).toEqual(['valid_cuisine']);
    expect(failing(changed(1, { breakfast: 'Indian Door, Salem' }), wishing({ cuisine: ['French'] }))).toEqual([
      'valid_cuisine',
    ]);
    expect(judge(PLAN, wishing({ cuisine: [] })).hard?.valid_cuisine.pass).toBeNull();
  });

  it('ban flights and cars by the exact word', () => {
    expect(failing(PLAN, wishing({ transportation: 'no flight' }))).toEqual(['valid_transportation']);
    expect(failing(PLAN, wishing({ transportation: 'no self-driving' }))).toEqual([]);
  });
});

describe('the reward', () => {
  it('is the share of the checks that pass, and 1 for a final pass alone', () => {
    const tally = tallyOf(judge(changed(2, { dinner: 'French Door, Dover' })));
    expect(tally).toMatchObject({ final: false, hardAll: true, commonsenseAll: false });
    expect(rewardOf(tally)).toBe(8 / 9);
    const missed = tallyOf(judge(changed(2, { dinner: 'Nowhere, Dover' }), wishing({ 'house rule': 'pets' })));
    expect(rewardOf(missed)).toBe(7 / 10);
  });
});
