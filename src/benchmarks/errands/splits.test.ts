import { describe, expect, it } from 'vitest';
import type { Task } from '../../core/types.ts';
import { errandsBenchmark } from './index.ts';
import { skillsOf } from './request.ts';
import { HELD_OUT_PAIRS, hasHeldOutPair, isHeldOutText, stratumOf } from './splits.ts';
import { requestOf } from './tasks.ts';

const errands = errandsBenchmark();
const base = await errands.base();
const validation = await errands.validation();
const test = await errands.test!();

const textOf = ({ prompt }: Task) => prompt.at(-1)!.content;

function skills(task: Task): string[] {
  const request = requestOf(task.prompt);
  return 'problem' in request ? [] : skillsOf(request);
}

const STRATA = ['2–3 clauses, new pair', '3 clauses', '4 clauses', '5 clauses'];

describe('the splits', () => {
  it('have their sizes and origins, and are the same every time', async () => {
    expect([base, validation, test].map(({ length }) => length)).toEqual([544, 256, 256]);
    for (const [tasks, origin] of [
      [base, 'base'],
      [validation, 'validation'],
      [test, 'test'],
    ] as const)
      expect(new Set(tasks.map((task) => task.origin))).toEqual(new Set([origin]));
    const again = errandsBenchmark({ baseTasks: 100 });
    expect(await again.base()).toEqual(base.slice(0, 100));
    expect(await again.validation()).toEqual(validation);
    expect(textOf(validation[0]!)).toMatchInlineSnapshot(
      `"play folk in the kitchen three times, then buy five apples, then remind Cleo on Wednesday, no, make it Ben, all of it twice"`,
    );
    expect(textOf(test[0]!)).toMatchInlineSnapshot(
      `"play blues in the office, then feed the dog, no, make it the dog, then text Cleo the map three times, all of it twice"`,
    );
  });

  it('share no task, capitals and punctuation aside', () => {
    const all = [...base, ...validation, ...test].map((task) =>
      textOf(task)
        .toLowerCase()
        .replace(/[^a-z ]/g, ''),
    );
    expect(new Set(all).size).toBe(544 + 256 + 256);
    for (const task of [...validation, ...test])
      expect(isHeldOutText(textOf(task).toUpperCase().replaceAll(',', ' ;'))).toBe(true);
    for (const task of base) expect(isHeldOutText(textOf(task))).toBe(false);
  });

  it('hold out pairs of skills that no base task needs together', () => {
    for (const task of base) {
      for (const [a, b] of HELD_OUT_PAIRS) expect(skills(task).includes(a) && skills(task).includes(b)).toBe(false);
    }
    for (const split of [validation, test]) {
      for (const [a, b] of HELD_OUT_PAIRS)
        expect(split.filter((task) => skills(task).includes(a) && skills(task).includes(b)).length).toBeGreaterThan(1);
    }
  });

  it('go through the strata in turn, so that the first few are as hard as all', () => {
    for (const split of [validation, test])
      expect(split.map((task) => errands.stratum!(task))).toEqual(split.map((_, i) => STRATA[i % 4]));
  });

  it('have strata that are what their names say, and sort from easy to hard', () => {
    expect(STRATA.toSorted(new Intl.Collator('en', { numeric: true }).compare)).toEqual(STRATA);
    for (const task of [...validation, ...test]) {
      const [fewest, most = fewest] = stratumOf(task).match(/\d/g)!.map(Number);
      expect(task.features.clauses).toBeGreaterThanOrEqual(fewest!);
      expect(task.features.clauses).toBeLessThanOrEqual(most!);
      const request = requestOf(task.prompt);
      if ('problem' in request) throw new Error(request.problem);
      expect(hasHeldOutPair(request)).toBe(stratumOf(task).endsWith('new pair'));
    }
  });

  it('ask something now and then in every stratum', () => {
    for (const split of [validation, test]) {
      for (const stratum of STRATA) {
        const asking = split.filter((task) => stratumOf(task) === stratum && task.features.asks === 1).length;
        expect(asking).toBeGreaterThan(8);
        expect(asking).toBeLessThan(40);
      }
    }
  });
});

describe('the stratum of any other task', () => {
  it.each([
    ['cook soup', '1 clause'],
    ['feed each of the cat and the dog twice', '1 clause'],
    ['cook soup, then feed the cat', '2 clauses'],
    ['cook soup twice, then feed each of the cat and the dog', '2–3 clauses, new pair'],
    [
      'cook soup, then feed the cat, then water the roses, then wash the coat, then cook rice, then cook stew',
      '6 clauses',
    ],
    ['cook soup twice, then feed each of the cat and the dog, then wash the coat, then water the roses', '4 clauses'],
    ['what?', 'unreadable'],
  ])('%s: %s', (content, stratum) => {
    expect(stratumOf({ prompt: [{ role: 'user', content }] })).toBe(stratum);
  });
});
