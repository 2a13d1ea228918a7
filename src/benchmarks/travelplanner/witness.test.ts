import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/types.ts';
import { openData } from './data.ts';
import { fixtureDatabase, NO_WISHES, QUERY } from './fixtures.ts';
import type { Query } from './query.ts';
import { scorePlan, tallyOf } from './score.ts';
import { citiesIn } from './tasks.ts';
import { findWitness } from './witness.ts';

const database = fixtureDatabase();
const find = (changes: Partial<Query>, cities: string[] = ['Dover']) =>
  findWitness({ ...QUERY, ...changes }, cities, database);

describe('findWitness', () => {
  it('finds the cheapest trip: by car, in the bunk, with the three cheapest meals', () => {
    const witness = find({});
    expect(witness).toMatchObject({ cost: 2 * 60 + 2 * 20 + 10 + 11 + 12, stops: ['Salem', 'Dover', 'Salem'] });
  });

  it('says so where the budget is a dollar short of it', () => {
    expect(find({ budget: 193 })).toHaveProperty('plan');
    expect(find({ budget: 192 })).toEqual({ problem: 'the cheapest trip costs 193, the budget is 192' });
  });

  it('meets every kind of wish, or says which it cannot', () => {
    const wishes = {
      'house rule': 'visitors',
      cuisine: ['Mexican', 'Italian', 'Indian', 'French'],
      'room type': 'private room',
    };
    const witness = find({
      budget: 2000,
      local_constraint: { ...NO_WISHES, ...wishes, transportation: 'no self-driving' },
    });
    // Flights are cheaper than taxis, and a fourth meal is eaten on arrival.
    expect(witness).toMatchObject({ cost: 200 + 2 * 50 + 16 + 14 + 13 + 12 });
    const none = { ...NO_WISHES, 'house rule': 'visitors', 'room type': 'shared room' };
    expect(find({ local_constraint: none })).toHaveProperty(
      'problem',
      expect.stringContaining('no place to stay in Dover'),
    );
    expect(find({ local_constraint: NO_WISHES }, ['Bath'])).toHaveProperty(
      'problem',
      expect.stringContaining('no known way'),
    );
  });

  it('goes through two and three cities, for any number of people, and its plan passes every check', () => {
    for (const [days, cities] of [
      [5, ['Dover', 'Troy']],
      [7, ['Dover', 'Troy', 'Perth']],
    ] as const) {
      for (const people_number of [1, 3, 7]) {
        const date = Array.from({ length: days }, (_, i) => `2022-03-0${i + 1}`);
        const query = {
          ...QUERY,
          days,
          date,
          dest: 'Newland',
          people_number,
          budget: 9000,
          visiting_city_number: cities.length,
        };
        const witness = findWitness(query, cities, database);
        if ('problem' in witness) expect.fail(witness.problem);
        const verdict = scorePlan(query, witness.plan, database);
        expect(tallyOf(verdict).final).toBe(true);
        expect(verdict.totalCost).toBe(witness.cost);
      }
    }
  });
});

describe.skipIf(!process.env.GENENV_DATA)('the data set (needs GENENV_DATA)', () => {
  const data = openData(join(process.env.GENENV_DATA ?? '', 'travelplanner'));
  const solved = (split: 'train' | 'validation') =>
    data.rows(split).filter(({ query, reference }) => {
      return 'plan' in findWitness(query, citiesIn(reference as JsonObject), data.database);
    }).length;

  it('has a witness for all 45 training queries and for 103 of the 105 for validation', () => {
    expect(solved('train')).toBe(45);
    expect(solved('validation')).toBe(103);
  });
});
