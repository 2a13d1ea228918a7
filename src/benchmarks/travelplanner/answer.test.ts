import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { planIn } from './answer.ts';

const DAY = { days: 1, current_city: 'Dover', dinner: 'Joe\'s "Door", Dover' };

describe('planIn', () => {
  it('reads JSON, with or without fences and words around it', () => {
    const json = JSON.stringify([DAY], null, 1);
    expect(planIn(json)).toEqual([DAY]);
    expect(planIn(`Here [1] is the plan:\n\`\`\`json\n${json}\n\`\`\`\nHave fun [really]!`)).toEqual([DAY]);
    expect(planIn(`{"plan": ${json}}`)).toEqual([DAY]);
  });

  it('reads a Python literal', () => {
    expect(planIn("[{'days': 1, 'current_city': 'Dover', 'dinner': 'Joe\\'s \"Door\", Dover'}]")).toEqual([DAY]);
  });

  it('takes the last list, after any that was thought aloud', () => {
    expect(planIn(`First [{"days": 7}], no: [{"days": 8}]`)).toEqual([{ days: 8 }]);
    expect(planIn(`[{"days": 7}] and then [{"days": `)).toEqual([{ days: 7 }]);
  });

  it('takes a list or an object with one as it is', () => {
    expect(planIn([DAY])).toEqual([DAY]);
    expect(planIn({ plan: [DAY] })).toEqual([DAY]);
    expect(planIn(JSON.parse('{"__proto__": []}'))).toBeNull();
  });

  it('finds nothing in words, numbers and broken lists, in no time', () => {
    for (const text of ['', 'no plan', '[{', '[{]}', 7, null, true]) expect(planIn(text)).toBeNull();
    const spent = cpuStopwatch();
    for (const piece of ['[{', '[ ', "'[{", '[{"', '[{"a":']) expect(planIn(piece.repeat(1e6))).toBeNull();
    planIn(`${'['.repeat(1e5)}{${']'.repeat(1e5)}`);
    expect(spent()).toBeLessThan(5000);
  });
});
