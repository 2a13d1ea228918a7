import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/types.ts';
import { callsIn, listedCalls } from './answer.ts';
import { GARDEN, SHOP } from './fixtures.ts';
import { type FunctionDoc, toolboxOf } from './function-doc.ts';
import { judgeCalls, targetOf } from './score.ts';

const INSURANCE: FunctionDoc = {
  name: 'purchase_insurance',
  description: '',
  parameters: {
    type: 'dict',
    properties: {
      access_token: { type: 'string' },
      booking_id: { type: 'string' },
      insurance_type: { type: 'string' },
      insurance_cost: { type: 'float' },
      card_id: { type: 'string' },
    },
    required: [],
  },
};
const tools = toolboxOf([...SHOP, ...GARDEN, INSURANCE]);

const judge = (answer: Json, target: readonly Json[]) =>
  judgeCalls(callsIn(answer, tools), targetOf(listedCalls(target, tools)!, tools), tools);
const isRight = (answer: Json, ...target: Json[]) => judge(answer, target).ordered;
const tagged = (...calls: Json[]) =>
  `<tool_call>\n${calls.map((call) => JSON.stringify(call)).join('\n')}\n</tool_call>`;

describe('the calls of a reply', () => {
  const target = "find_item(item='lamp')";
  const call = '{"name": "find_item", "parameters": {"item": "lamp"}}';

  it.each([
    `<think>Hm.</think>\n<tool_call>\n${call}\n</tool_call>\n<response>Found.</response>`,
    `<tool_call>${call}</tool_call>`,
    `<tool_call>\n${call}`,
    `<tool_call>\n${call.replace('parameters', 'arguments')}\n</tool_call>`,
    `<tool_call>\n{"name": "x"}\n</tool_call>\n<tool_call>\n${call}\n</tool_call>`,
    `<tool_call>\nfirst\n{broken}\n[1]\n"x"\n{"name": 5}\n{}\n${call}\n\n</tool_call>`,
    `<tool_call>\n${call}\n</tool_call>\n{"name": "x"}`,
    call,
    `[${call}]`,
    '[find_item(item="lamp")]',
    `["find_item('lamp')"]`,
  ])('are found in %j', (reply) => {
    expect(isRight(reply, target)).toBe(true);
  });

  it.each([
    '',
    'I would call find_item(item="lamp").',
    `${call} <tool_call>`,
    `<tool_call>\n${call}\n${call}\n</tool_call>`,
    `<tool_call>\n{"name":\n"find_item", "parameters": {"item": "lamp"}}\n</tool_call>`,
    '<tool_call>\n{"name": "find_item", "parameters": "lamp"}\n</tool_call>',
    '<tool_call>\n{"name": "find_item", "parameters": {"item": "lamp", "limit": NaN}}\n</tool_call>',
    '[find_item(item=lamp)]',
    '[find_item(item="lamp", **x)]',
    "[find_item('lamp', 'red', 1, 2, 3)]",
    '[find_item(item="lamp"), 5]',
  ])('are not in %j', (reply) => {
    expect(isRight(reply, target)).toBe(false);
  });

  it('may be given as a list, or as one object', () => {
    expect(isRight(["find_item(item='lamp')"], target)).toBe(true);
    expect(isRight([{ name: 'find_item', parameters: { item: 'lamp' } }], target)).toBe(true);
    expect(isRight({ name: 'find_item', arguments: { item: 'lamp' } }, target)).toBe(true);
    expect(isRight(["find_item(item='lamp'"], target)).toBe(false);
    for (const nonsense of [null, 5, true, {}, [null], [5], [[]]]) {
      expect(isRight(nonsense, target)).toBe(false);
      expect(isRight(nonsense)).toBe(false);
    }
  });
});

describe('exact match', () => {
  it('wants no call where there is none to make', () => {
    expect(isRight('You are welcome.')).toBe(true);
    expect(isRight('<tool_call>\n</tool_call>')).toBe(true);
    expect(isRight([])).toBe(true);
    expect(isRight(tagged({ name: 'find_item', parameters: {} }))).toBe(false);
  });

  it('fills in what is left out, and knows that "None" is null', () => {
    const full = { name: 'find_item', parameters: { item: 'lamp', colour: null, limit: 10 } };
    expect(isRight(tagged(full), "find_item('lamp')")).toBe(true);
    expect(isRight(tagged({ name: 'find_item', parameters: { item: 'lamp' } }), full)).toBe(true);
    expect(
      isRight(tagged({ name: 'find_item', parameters: { item: 'lamp', colour: 'None' } }), "find_item('lamp')"),
    ).toBe(false);
    expect(isRight(tagged({ name: 'find_item', parameters: { item: 'lamp', limit: 11 } }), "find_item('lamp')")).toBe(
      false,
    );
  });

  it('compares values by what they are', () => {
    const water = (...beds: Json[]) => tagged({ name: 'water_beds', parameters: { beds } });
    expect(
      isRight('<tool_call>\n{"name": "water_beds", "parameters": {"beds": [5.0]}}\n</tool_call>', 'water_beds([5])'),
    ).toBe(true);
    expect(isRight(water(5), 'water_beds([5.0])')).toBe(true);
    expect(isRight(water(-0), 'water_beds([0])')).toBe(true);
    expect(isRight(water('5'), 'water_beds([5])')).toBe(false);
    expect(isRight(water(true), 'water_beds([1])')).toBe(false);
    expect(isRight(water(null), 'water_beds([0])')).toBe(false);
    expect(isRight(water(2, 1), 'water_beds([1, 2])')).toBe(false);
    expect(isRight(water({ a: 1, b: 2 }), "water_beds([{'b': 2, 'a': 1}])")).toBe(true);
    expect(isRight('[water_beds(beds=(1, 2))]', 'water_beds([1, 2])')).toBe(false);
    const long = '<tool_call>\n{"name": "water_beds", "parameters": {"beds": [9007199254740993]}}\n</tool_call>';
    expect(isRight(long, 'water_beds([9007199254740993])')).toBe(true);
    expect(isRight(long, 'water_beds([9007199254740992])')).toBe(false);
  });

  it('knows the order in which Python takes the arguments of the one function that is documented otherwise', () => {
    const named =
      "purchase_insurance(access_token='t', insurance_type='full', booking_id='b', insurance_cost=5, card_id='c')";
    expect(isRight(["purchase_insurance('t', 'full', 'b', 5.0, 'c')"], named)).toBe(true);
  });

  it('takes the order of calls as given, and says when it is all that is wrong', () => {
    const [a, b] = ["find_item('lamp')", 'water_beds([1])'];
    expect(judge([b!, a!], [a!, b!])).toEqual({
      ordered: false,
      unordered: true,
      reason: 'the calls are right but in another order',
    });
    expect(judge([a!, a!], [a!, b!]).unordered).toBe(false);
    expect(judge([a!], [a!, b!])).toMatchObject({ unordered: false, reason: '1 call instead of 2' });
    expect(judge(["find_item('rug')"], [a!]).reason).toContain('"rug"');
  });
});

describe('whatever the calls', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const args = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), leaf)), {
    minKeys: 1,
    maxKeys: 5,
  });
  const calls = fc.array(fc.record({ name: fc.constantFrom('find_item', 'other'), parameters: args }), {
    minLength: 1,
    maxLength: 4,
  });
  const reversed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(reversed);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item)]),
    );
  };

  it('the order of keys does not matter', () => {
    fc.assert(fc.property(calls, (target) => isRight(tagged(...target.map(reversed)), ...(target as Json[]))));
  });

  it('a changed value does', () => {
    fc.assert(
      fc.property(calls, fc.nat(), (target, n) => {
        const changed = structuredClone(target);
        const { parameters } = changed[n % changed.length]!;
        const keys = Object.keys(parameters);
        const key = keys[n % keys.length]!;
        Object.defineProperty(parameters, key, { value: { was: parameters[key]! }, enumerable: true });
        const verdict = judge(tagged(...(changed as JsonObject[])), target as Json[]);
        expect(verdict).toMatchObject({ ordered: false, unordered: false });
      }),
    );
  });

  it('hostile replies are wrong at once', () => {
    for (const reply of [
      'x'.repeat(10_000_000),
      '<tool_call>'.repeat(900_000),
      `<tool_call>\n${'{"name":'.repeat(1_000_000)}`,
      `<tool_call>\n${'{\n'.repeat(3_000_000)}`,
      `<tool_call>\n${'{x}\n'.repeat(2_000_000)}`,
      `<tool_call>\n{"name": "water_beds", "parameters": {"beds": ${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
      `<tool_call>\n{"name": "water_beds", "parameters": {"beds": ${'['.repeat(10_000)}1.0${']'.repeat(10_000)}}}`,
      '['.repeat(5_000_000) + ']'.repeat(5_000_000),
      '\ud800',
      '<tool_call>\n{"name": "__proto__", "parameters": {"__proto__": {"constructor": 1}}}',
    ])
      expect(isRight(reply, 'water_beds([1])')).toBe(false);
  });
});
