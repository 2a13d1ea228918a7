import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/types.ts';
import { cleanPlan } from './clean.ts';
import { changed, fixtureDatabase, PLAN, QUERY } from './fixtures.ts';
import { scorePlan, tallyOf } from './score.ts';

const database = fixtureDatabase();
const clean = (changes: JsonObject) => (cleanPlan(changed(2, changes), database) as JsonObject[])[1]!;

describe('cleanPlan', () => {
  it('leaves a good plan as it is, and padding too', () => {
    expect(cleanPlan([...PLAN, {}], database)).toEqual([...PLAN, {}]);
  });

  it('takes prices, nights and full stops off the end of a place', () => {
    for (const suffix of ['; Cost: 14', '.', '; $14 for 2 nights.']) {
      expect(clean({ dinner: `French Door, Dover${suffix}` }).dinner, suffix).toBe('French Door, Dover');
      expect(clean({ accommodation: `Big loft, Dover${suffix}` }).accommodation, suffix).toBe('Big loft, Dover');
    }
  });

  it('leaves alone what names a known place already: a parenthesis after the city is read as its state', () => {
    expect(clean({ dinner: 'French Door, Dover (Cost: $12)' }).dinner).toBe('French Door, Dover (Cost: $12)');
    expect(clean({ dinner: 'French Door, Dover(Newland)' }).dinner).toBe('French Door, Dover(Newland)');
  });

  it('gives every attraction its semicolon', () => {
    expect(clean({ attraction: 'Old Mill, Dover; Harbour Museum, Dover' }).attraction).toBe(
      'Old Mill, Dover;Harbour Museum, Dover;',
    );
    expect(clean({ attraction: 'Old Mill, Dover; Cost: free' }).attraction).toBe('Old Mill, Dover;');
  });

  it('fills in what is missing, so that a lost key is a gap and no exception', () => {
    const plan = cleanPlan(changed(1, { transportation: undefined, lunch: null }), database) as JsonObject[];
    expect(plan[0]).toMatchObject({ transportation: '-', lunch: '-' });
    const { commonsense } = scorePlan(QUERY, plan, database);
    expect(Object.values(commonsense!).some(({ error }) => error)).toBe(false);
  });

  it('makes a wordy plan pass that is right in substance', () => {
    const wordy = PLAN.map((day) =>
      Object.fromEntries(
        Object.entries(day).map(([key, value]) => [key, value === '-' || key === 'days' ? value : `${String(value)}.`]),
      ),
    );
    expect(tallyOf(scorePlan(QUERY, wordy as JsonObject[], database)).final).toBe(false);
    expect(tallyOf(scorePlan(QUERY, cleanPlan(wordy as JsonObject[], database), database)).final).toBe(true);
  });
});
