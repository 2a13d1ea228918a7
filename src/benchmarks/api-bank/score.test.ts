import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../core/types.ts';
import { extractCalls } from './answer.ts';
import { type GoldCall, pythonEqual, softMatch, strictMatch, typeBlindMatch } from './score.ts';

const GOLD: GoldCall = { name: 'F', parameters: { a: '1', b: "['x']" } };
const soft = (...items: Json[]) => softMatch(items, GOLD).correct;
const strict = (...items: Json[]) => strictMatch(items, GOLD).correct;
const OTHER = { name: 'G', parameters: {} };

describe('the soft match', () => {
  it.each<[string, boolean, Json[]]>([
    ['the call', true, [GOLD]],
    ['the call among others', true, [OTHER, GOLD, OTHER]],
    ['other keys beside the two', true, [{ ...GOLD, why: 'x' }]],
    ['bare parameters', true, [GOLD.parameters]],
    ['parameters under another key', false, [{ name: 'F', arguments: GOLD.parameters }]],
    ['no name beside the parameters', false, [{ parameters: GOLD.parameters }]],
    ['the call as a string of JSON', true, [JSON.stringify(GOLD)]],
    ['the call as a string of a string', false, [JSON.stringify(JSON.stringify(GOLD))]],
    ['a string of a string, then the call', true, [JSON.stringify('hello'), GOLD]],
    ['a string of a string that looks like a call, then the call', false, [JSON.stringify('name parameters'), GOLD]],
    ['a string that is no JSON, then the call', false, ['hello', GOLD]],
    ['a number, then the call', false, [5, GOLD]],
    ['a number in a string, then the call', false, ['5', GOLD]],
    ['NaN, then the call', false, [Number.NaN, GOLD]],
    ['null, then the call', false, [null, GOLD]],
    ['the call, then a number', true, [GOLD, 5]],
    ['the call in a list', false, [[GOLD]]],
    ['a list, then the call', true, [['name'], GOLD]],
    ['a list with both keys as elements, then the call', false, [['parameters', 'name'], GOLD]],
    ['a number for a text', false, [{ name: 'F', parameters: { a: 1, b: "['x']" } }]],
    ['a parameter too many', false, [{ name: 'F', parameters: { a: '1', b: "['x']", c: '' } }]],
    ['a parameter too few', false, [{ name: 'F', parameters: { a: '1' } }]],
    ['another name', false, [{ ...GOLD, name: 'f' }]],
    ['nothing', false, []],
  ])('of %s is %s', (_, correct, items) => {
    expect(soft(...items)).toBe(correct);
  });

  it('takes an empty object for a call without parameters', () => {
    expect(softMatch([{}], { name: 'F', parameters: {} }).correct).toBe(true);
    expect(softMatch([[]], { name: 'F', parameters: {} }).correct).toBe(false);
  });

  it('takes a lone name for parameters that have one', () => {
    expect(softMatch([{ name: 'Morning' }], { name: 'F', parameters: { name: 'Morning' } }).correct).toBe(true);
  });

  it('does not look behind objects', () => {
    const bare = extractCalls('{"__proto__": {"name": "F", "parameters": {}}}');
    expect(softMatch(bare, { name: 'F', parameters: {} }).correct).toBe(false);
    expect(softMatch([{ a: '1' }], { name: 'F', parameters: { constructor: '1' } }).correct).toBe(false);
  });

  it('says what is wrong, in few words whatever was written', () => {
    const reason = (items: Json[], gold = GOLD) => {
      const match = softMatch(items, gold);
      return match.correct ? '' : match.reason;
    };
    expect(reason([OTHER])).toBe('another tool');
    expect(reason([{ name: 'F', parameters: { a: '2', b: "['x']" } }])).toBe('a differs');
    expect(reason([{ name: 'F', parameters: { a: '2' } }])).toBe('b missing');
    expect(reason([{ name: 'F', parameters: { a: '1', b: "['x']", c: '' } }])).toBe('more parameters than asked for');
    expect(reason([{ name: 'F', parameters: 3 }])).toBe('the parameters differ');
    expect(reason([[]], { name: 'F', parameters: { ['k'.repeat(1e6)]: '1' } }).length).toBeLessThan(200);
  });
});

describe('the strict match', () => {
  it.each<[string, boolean, Json[]]>([
    ['the call', true, [GOLD]],
    ['the call as a string of JSON', true, [JSON.stringify(GOLD)]],
    ['the call twice', false, [GOLD, GOLD]],
    ['the call and a number', false, [GOLD, 5]],
    ['bare parameters', false, [GOLD.parameters]],
    ['a list', false, [[GOLD]]],
    ['a number', false, [5]],
    ['a string that is no JSON', false, ['hello']],
    ['another value', false, [{ name: 'F', parameters: { a: '2', b: "['x']" } }]],
    ['nothing', false, []],
  ])('of %s is %s', (_, correct, items) => {
    expect(strict(...items)).toBe(correct);
  });
});

describe('the match that forgives types', () => {
  const blind = (parameters: Json, gold: Json = GOLD.parameters) =>
    typeBlindMatch([{ name: 'F', parameters }], { name: 'F', parameters: gold }).correct;

  it('takes a value for the text that Python prints it as', () => {
    expect(blind({ a: 1, b: ['x'] })).toBe(true);
    expect(blind({ a: 1.5 }, { a: '1.5' })).toBe(true);
    expect(blind({ a: true }, { a: 'True' })).toBe(true);
    expect(blind([{ a: 1 }], { a: '1' })).toBe(false);
  });

  it('forgives nothing else', () => {
    expect(blind({ a: 2, b: ['x'] })).toBe(false);
    expect(blind({ a: 1, b: ['y'] })).toBe(false);
    expect(blind({ a: 1 })).toBe(false);
    expect(blind({ a: ' 1', b: "['x']" })).toBe(false);
    expect(blind({ a: 'x' }, { a: "'x'" })).toBe(false);
  });
});

describe("Python's equality", () => {
  it.each<[Json, Json, boolean]>([
    [1, true, true],
    [0, false, true],
    [{ a: [1] }, { a: [true] }, true],
    ['1', 1, false],
    [null, false, false],
    [null, 0, false],
    ['', false, false],
    [{}, [], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined as unknown as Json }, { b: 1 }, false],
    [Number.NaN, Number.NaN, false],
    [[Number.NaN], [Number.NaN], true],
    [{ a: Number.NaN }, { a: Number.NaN }, true],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
    [-0, 0, true],
  ])('between %j and %j is %s', (a, b, equal) => {
    expect(pythonEqual(a, b)).toBe(equal);
    expect(pythonEqual(b, a)).toBe(equal);
  });
});

describe('any call', () => {
  const parameters = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), { maxKeys: 6 });
  const reply = (call: GoldCall) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;

  it('is right in whatever order its keys stand', () => {
    fc.assert(
      fc.property(parameters, fc.string({ unit: 'grapheme' }), fc.func(fc.integer()), (fields, name, rank) => {
        const gold = { name, parameters: fields };
        const order = Object.keys(fields).sort((a, b) => rank(a) - rank(b));
        const shuffled = { parameters: Object.fromEntries(order.map((key) => [key, fields[key]!])), name };
        // fast-check makes dictionaries without a prototype; parsed JSON has one, and neither matters.
        expect(softMatch(extractCalls(reply(shuffled)), gold).correct).toBe(true);
        expect(strictMatch(extractCalls(reply(shuffled)), gold).correct).toBe(true);
      }),
    );
  });

  it('is wrong with any one value changed', () => {
    fc.assert(
      fc.property(parameters, fc.nat(), fc.jsonValue(), (fields, at, other) => {
        const keys = Object.keys(fields);
        fc.pre(keys.length > 0);
        const key = keys[at % keys.length]!;
        fc.pre(fields[key] !== other);
        const changed = Object.fromEntries(keys.map((one) => [one, one === key ? (other as Json) : fields[one]!]));
        const items = extractCalls(reply({ name: 'F', parameters: changed }));
        expect(softMatch(items, { name: 'F', parameters: fields }).correct).toBe(false);
        expect(strictMatch(items, { name: 'F', parameters: fields }).correct).toBe(false);
      }),
    );
  });
});
