import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/types.ts';
import { astError } from './ast-check.ts';
import { decodeReply } from './decode.ts';
import { readJson } from './exact-json.ts';
import type { FunctionDoc, ParameterDoc } from './function-doc.ts';

const PARAMETERS: Record<string, ParameterDoc> = {
  s: { type: 'string' },
  i: { type: 'integer' },
  x: { type: 'float' },
  b: { type: 'boolean' },
  o: { type: 'dict' },
  any: { type: 'any' },
  floats: { type: 'array', items: { type: 'float' } },
  words: { type: 'array', items: { type: 'string' } },
  grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
  pair: { type: 'tuple', items: { type: 'integer' } },
  rows: { type: 'array', items: { type: 'dict' } },
};
const doc = (name: string, required: string[] = []): FunctionDoc => ({
  name,
  description: '',
  parameters: { type: 'dict', properties: PARAMETERS, required },
});

interface Setting {
  category?: string;
  functions?: FunctionDoc[];
  dotToUnderscore?: boolean;
}

/** What is wrong with a reply; the answers are JSON text, because 5.0 is not 5. */
function errorOf(reply: string, answers: string, setting: Setting = {}): string | undefined {
  const { category = 'simple', functions = [doc('f')], ...rest } = setting;
  return astError(decodeReply(reply)!, { category, functions, answers: readJson(answers), ...rest });
}

/** The same for one argument and its allowed values. */
const argument = (name: string, value: string, allowed: string) =>
  errorOf(`[f(${name}=${value})]`, `[{"f": {"${name}": ${allowed}}}]`);

describe('a call', () => {
  it('is right when its arguments are allowed, and optional ones may be left out', () => {
    const answers = '[{"f": {"s": ["New York", "NYC"], "i": [5, ""]}}]';
    expect(errorOf("[f(s='NYC', i=5)]", answers)).toBeUndefined();
    expect(errorOf("[f(s='NYC')]", answers)).toBeUndefined();
    expect(errorOf('[f(i=5)]', answers)).toBe('simple_function_checker:missing_optional');
    expect(errorOf("[f(s='NYC', x=1.0)]", answers)).toBe('simple_function_checker:unexpected_param');
    expect(errorOf("[f(s='NYC', nobody=1)]", answers)).toBe('simple_function_checker:unexpected_param');
    expect(errorOf("[f(s='NYC', **z)]", answers)).toBe('simple_function_checker:unexpected_param');
    expect(errorOf("[g(s='NYC')]", answers)).toBe('simple_function_checker:wrong_func_name');
    expect(errorOf("[f(s='NYC'), f(s='NYC')]", answers)).toBe('simple_function_checker:wrong_count');
    expect(errorOf('[]', answers)).toBe('simple_function_checker:wrong_count');
  });

  it('has every required parameter, whatever the answer allows', () => {
    const functions = [doc('f', ['s'])];
    expect(errorOf('[f()]', '[{"f": {"s": ["a", ""]}}]', { functions })).toBe(
      'simple_function_checker:missing_required',
    );
  });

  it('may write dots as underscores only for models that must', () => {
    const setting = { functions: [doc('a.f')] };
    expect(errorOf('[a.f()]', '[{"a.f": {}}]', setting)).toBeUndefined();
    expect(errorOf('[a_f()]', '[{"a.f": {}}]', setting)).toBe('simple_function_checker:wrong_func_name');
    expect(errorOf('[a_f()]', '[{"a.f": {}}]', { ...setting, dotToUnderscore: true })).toBeUndefined();
    expect(errorOf('[a.f()]', '[{"a.f": {}}]', { ...setting, dotToUnderscore: true })).toBeDefined();
  });
});

describe('an argument', () => {
  it.each([
    ['s', "'new-york.'", '["New York"]'],
    ['s', "''", '["x", ""]'],
    ['s', '"a\'b"', '["a\\"b"]'],
    ['s', 'name', '["name"]'],
    ['x', '5', '[5.0]'],
    ['x', '5.0', '[5]'],
    ['i', '5', '[5]'],
    ['b', 'True', '[true]'],
    ['i', 'my_var', '["my_var"]'],
    ['any', "'A.b'", '["ab"]'],
    ['any', '5', '[5]'],
    ['i', '2+3', '[5]'],
    ['floats', '[1.0, 2.0]', '[[1.0, 2.0]]'],
    ['floats', '[1.0, 2.0]', '[[1, 2]]'],
    ['floats', '[1, 2]', '[[1, 2]]'],
    ['floats', '[1]', '[[1.0], ""]'],
    ['floats', '[]', '[[1.0], ""]'],
    ['words', "['New York', 'b.c']", '[["new york", "BC"]]'],
    ['words', "['b', 'c']", '[["a"], "bc"]'],
    ['words', 'names', '["names"]'],
    ['grid', '[[1, 2], [3]]', '[[[1, 2], [3]]]'],
    ['pair', '(1, 2)', '[[1, 2]]'],
    ['pair', '[1, 2]', '[[1, 2]]'],
    ['o', "{'k': 'V.1', 'm': 2}", '[{"k": ["v1"], "m": [2, 3]}]'],
    ['o', "{'k': 'v1'}", '[{"k": ["v1"], "m": [2, ""]}]'],
    ['o', "{'k': 2}", '["", {"k": [1]}, {"k": [2]}]'],
    ['rows', "[{'a': 1}, {'a': 2}]", '[[{"a": [1]}, {"a": [2]}]]'],
    ['rows', '[]', '[[]]'],
  ])('%s=%s is in %s', (name, value, allowed) => {
    expect(argument(name, value, allowed)).toBeUndefined();
  });

  it.each([
    ['s', "'LA'", '["NYC"]', 'value_error:string'],
    ['s', '5', '["5"]', 'type_error:simple'],
    ['s', 'g(x=1)', '["a"]', 'type_error:simple'],
    ['i', "'5'", '[5]', 'type_error:simple'],
    ['i', '5.0', '[5]', 'type_error:simple'],
    ['i', 'True', '[1]', 'type_error:simple'],
    ['b', '1', '[true]', 'type_error:simple'],
    ['b', 'true', '[true]', 'type_error:simple'],
    ['x', '0.1+0.2', '[0.3]', 'value_error:others'],
    ['i', 'My_Var', '["my_var"]', 'value_error:others'],
    ['floats', '[1, 2.0]', '[[1.0, 2.0]]', 'type_error:nested'],
    ['floats', '[1.0]', '[[1.0, 2.0]]', 'value_error:list/tuple'],
    ['floats', '[2.0, 1.0]', '[[1.0, 2.0]]', 'value_error:list/tuple'],
    ['words', "('a', 'b')", '[["a", "b"]]', 'type_error:simple'],
    ['o', "{'k': 'v1'}", '[{"k": ["v1"], "m": [2]}]', 'value_error:dict_key'],
    ['o', "{'k': 'v1', 'z': 1}", '[{"k": ["v1"]}]', 'value_error:dict_key'],
    ['o', "{'k': 'v2'}", '[{"k": ["v1"]}]', 'value_error:dict_value'],
    ['o', "{1: 'v1'}", '[{"1": ["v1"]}]', 'value_error:dict_key'],
    ['rows', "[{'a': 1}, {'a': 2}]", '[[{"a": [2]}, {"a": [1]}]]', 'value_error:dict_value'],
    ['rows', "[{'a': 1}]", '[[{"a": [1]}, {"a": [1]}]]', 'value_error:list_dict_count'],
  ])('%s=%s is not in %s', (name, value, allowed, error) => {
    expect(argument(name, value, allowed)).toBe(error);
  });
});

describe('several calls', () => {
  const parallel = { category: 'parallel' };

  it('match in any order, each answer taking the first call that fits', () => {
    expect(errorOf('[f(i=2), f(i=1)]', '[{"f": {"i": [1]}}, {"f": {"i": [2]}}]', parallel)).toBeUndefined();
    expect(errorOf('[f(i=6), f(i=5)]', '[{"f": {"i": [5, 6]}}, {"f": {"i": [5]}}]', parallel)).toBeUndefined();
    // Another assignment would fit, but nothing is taken back.
    expect(errorOf('[f(i=5), f(i=6)]', '[{"f": {"i": [5, 6]}}, {"f": {"i": [5]}}]', parallel)).toBe(
      'parallel_function_checker_no_order:cannot_find_match',
    );
    expect(errorOf('[f(i=1)]', '[{"f": {"i": [1]}}, {"f": {"i": [1]}}]', parallel)).toBe(
      'parallel_function_checker_no_order:wrong_count',
    );
  });

  it('are judged by the documentation of the function that the answer names', () => {
    const setting = { category: 'multiple', functions: [doc('f', ['s']), doc('g')] };
    expect(errorOf('[g(i=1)]', '[{"g": {"i": [1]}}]', setting)).toBeUndefined();
    expect(errorOf('[f(i=1)]', '[{"g": {"i": [1]}}]', setting)).toBe('simple_function_checker:wrong_func_name');
    expect(errorOf('[h()]', '[{"h": {}}]', setting)).toBeDefined();
    expect(errorOf('[g(i=1), g(i=1)]', '[{"g": {"i": [1]}}]', setting)).toBe('multiple_function_checker:wrong_count');
  });

  it('with keys that are names of a prototype are like any others', () => {
    const answers = '[{"constructor": {"__proto__": [1]}}]';
    const properties = JSON.parse('{"__proto__": {"type": "integer"}}') as JsonObject;
    const functions = [
      { ...doc('constructor'), parameters: { type: 'dict', properties: properties as never, required: [] } },
    ];
    expect(errorOf('[constructor(__proto__=1)]', answers, { functions })).toBeUndefined();
    expect(errorOf('[constructor(__proto__=2)]', answers, { functions })).toBe('value_error:others');
    expect(errorOf('[f(toString=1)]', '[{"f": {"toString": [1]}}]')).toBe('simple_function_checker:unexpected_param');
  });
});
