import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Brief } from '../../core/players.ts';
import type { JsonObject, Task } from '../../core/types.ts';
import { fixtureFolder, QUERY } from './fixtures.ts';
import { travelplannerBenchmark } from './index.ts';
import { readRequest, writeRequest } from './request.ts';
import { goalQuery } from './tasks.ts';

const data = fixtureFolder();
const benchmark = travelplannerBenchmark({ data });
const [seed] = (await benchmark.base()) as [Task];

const WRITTEN = {
  org: 'Salem',
  dest: 'Newland',
  cities: ['Dover', 'Perth'],
  days: 5,
  date: '2022-03-30',
  people_number: 2,
  budget: 1000,
  local_constraint: { 'house rule': null, cuisine: ['Indian'], 'room type': null, transportation: 'no flight' },
};
const read = (changes: JsonObject | string = {}) =>
  benchmark.read!(typeof changes === 'string' ? changes : JSON.stringify({ ...WRITTEN, ...changes }), seed);

describe('a query that the simulator wrote', () => {
  it('becomes a task whose words come from its fields and whose prompt has reference information', () => {
    const draft = read();
    if ('problem' in draft) expect.fail(draft.problem);
    const prompt = draft.prompt.at(-1)!.content;
    expect(prompt).toContain(
      'Plan a 5-day trip for 2 people from Salem to 2 cities in Newland, from 2022-03-30 to 2022-04-03',
    );
    expect(prompt).toContain('with a budget of $1000. We ask for: meals of these cuisines: Indian; no flight.');
    for (const title of ['Restaurants in Dover', 'Accommodations in Perth', 'Self-driving from Dover to Perth']) {
      expect(prompt).toContain(title);
    }
    expect(draft.features).toMatchObject({ days: 5, people: 2, constraints: 2, slack: expect.any(Number) });
    expect(benchmark.structure!(draft)).toBe('5-days few cuisines-1 transportation-no-flight');
    expect(benchmark.stratum!(draft as Task)).toBe('wishes 2, days 5');
  });

  it('is read from fences, chatter and Python literals too', () => {
    expect(read(`Sure:\n\`\`\`\n${JSON.stringify(WRITTEN)}\n\`\`\``)).toHaveProperty('prompt');
    const python =
      "{'org': 'Salem', 'dest': 'Dover', 'days': 3, 'date': '2022-03-04', 'people_number': 1, 'budget': 900, 'local_constraint': None}";
    expect(read(python)).toHaveProperty('prompt');
  });

  it.each([
    ['nothing', 'there is no JSON object'],
    [{ org: 'Atlantis' }, '"org" is not a known city'],
    [{ days: 4 }, '"days" is not 3, 5 or 7'],
    [{ days: 3 }, '"cities" is not a list of 1 for 3 days'],
    [{ cities: ['Dover', 'Dover'] }, 'a city occurs twice'],
    [{ cities: ['Dover', 'Bath'] }, 'Bath is not a known city of that state'],
    [{ date: 'tomorrow' }, '"date" is not a day like 2022-03-16'],
    [{ people_number: 0 }, '"people_number" is not a whole number from 1 to 12'],
    [{ budget: 1e9 }, '"budget" is not a whole number from 1 to 100000'],
    [{ level: 'easy' }, '"level" is hard by the number of wishes'],
    [{ local_constraint: { weather: 'dry' } }, '"weather" is not a constraint'],
    [{ local_constraint: { 'room type': 'palace' } }, 'a wish is none of the values there are'],
    [{ budget: 100 }, 'the cheapest trip costs'],
    [{ org: 'Bath' }, 'there is no known way'],
  ])('%j is refused, with the reason', (changes, problem) => {
    expect(read(changes)).toHaveProperty('problem', expect.stringContaining(problem));
  });

  it('is refused where it is a query of the validation split', () => {
    const held = { org: 'Salem', dest: 'Troy', cities: ['Troy'], days: 3, date: '2022-03-01', local_constraint: null };
    expect(read(held)).toEqual({ problem: 'this is a request of the validation split' });
  });

  it('has a prompt that is pruned by lot to the size that is set, never below what a plan needs', () => {
    const small = travelplannerBenchmark({ data, referenceCharacters: 800 });
    const write = () => small.read!(JSON.stringify(WRITTEN), seed);
    const draft = write();
    if ('problem' in draft) expect.fail(draft.problem);
    expect(write()).toEqual(draft);
    const prompt = draft.prompt.at(-1)!.content;
    const whole = read();
    expect(prompt.length).toBeLessThan('problem' in whole ? 0 : whole.prompt.at(-1)!.content.length);
    expect(prompt).toContain('Indian Door | 13');
    expect(prompt).toContain('Bunk, by the river');
  });
});

describe('what the simulator is shown', () => {
  it('is the seed in the form it writes, places that go with it, and the target', () => {
    const brief: Brief = {
      slot: 0,
      seed,
      count: 1,
      lineage: [{ epoch: 1, successes: 2, attempts: 8 }],
      overall: 0.25,
      target: { alpha: 0.5, kMin: 0.1 },
    };
    const [, user] = benchmark.context!(brief);
    expect(user!.content).toContain('{"org":"Salem","dest":"Dover","cities":["Dover"],"days":3,"date":"2022-03-01"');
    expect(user!.content).toContain('epoch 1: 2 of 8');
    expect(user!.content).toContain('about 50% of its attempts (between 40% and 60%)');
    expect(user!.content).toContain('Troy (Newland)');
  });
});

describe('requests in words', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 12),
        fc.constantFrom(null, 'pets', 'children under 10'),
        fc.constantFrom<string[] | null>(null, ['Indian'], ['French', 'Chinese']),
        fc.constantFrom(null, 'shared room', 'not shared room', 'entire room'),
        fc.constantFrom(null, 'no flight', 'no self-driving'),
        (people_number, rule, cuisine, room, transportation) => {
          const local_constraint = { 'house rule': rule, cuisine, 'room type': room, transportation };
          const wishes = Object.values(local_constraint).filter((wish) => wish !== null).length;
          const level = ['easy', 'medium'][wishes] ?? 'hard';
          const { query: _, ...fields } = { ...QUERY, people_number, local_constraint, level };
          expect(readRequest(writeRequest(fields))).toEqual(fields);
        },
      ),
    );
    expect(readRequest(QUERY.query)).toBeUndefined();
  });
});

describe('the benchmark', () => {
  it('has the training queries as base, the validation queries that can be asked, and judges replies', async () => {
    const [validation, ...others] = await benchmark.validation();
    expect(others).toEqual([]);
    expect(goalQuery(validation!)?.query.dest).toBe('Troy');
    const world = benchmark.session!(seed)!;
    if (!('say' in world)) expect.fail('not a world of words');
    expect(await world.say('[]')).toEqual({ content: '', done: true });
    expect(world.judge('no plan')).toBe(0);
  });
});
