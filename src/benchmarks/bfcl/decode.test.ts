import { describe, expect, it } from 'vitest';
import { decodedList, decodeReply } from './decode.ts';
import { repr } from './unparse.ts';
import { dictOf } from './values.ts';

/** The decoded form as Python would print it. */
function decoded(reply: string): string | undefined {
  const calls = decodeReply(reply);
  return calls && repr(calls.map(({ name, args }) => dictOf([[name, dictOf(args)]])));
}

describe('a reply in prompt mode', () => {
  it.each([
    ['[f(a=1)]', "[{'f': {'a': 1}}]"],
    ['f(a=1)', "[{'f': {'a': 1}}]"],
    ['[f()', "[{'f': {}}]"],
    ['f(a=1), g()', "[{'f': {'a': 1}}, {'g': {}}]"],
    ['```\n[f()]\n```', "[{'f': {}}]"],
    ['[]', '[]'],
    ['', '[]'],
    ['[f(a=1)] # [done]', "[{'f': {'a': 1}}]"],
    ['[f(\n  a=1, # one\n)]', "[{'f': {'a': 1}}]"],
    ['[a.b.c(x=1)]', "[{'a.b.c': {'x': 1}}]"],
    ['[g().h(x=1)]', "[{'h': {'x': 1}}]"],
    ['[(lambda: 0)(x=1)]', "[{'': {'x': 1}}]"],
  ])('%j holds calls', (reply, calls) => {
    expect(decoded(reply)).toBe(calls);
  });

  it.each([
    'Sure! [f()]',
    '```python\n[f()]\n```',
    'Hello',
    '[f]',
    '[f()]]',
    '[f() g()]',
    '[f()]\n[g()]',
    '\t[f()]',
    '[f()]\r',
    '[*f()]',
    '[f() for x in y]',
    '[f(class=1)]',
    '[f(True=1)]',
    '[f(a.b=1)]',
    '[f(a=1, 2)]',
    '[f(**a, *b)]',
    '[f(a=b"é")]',
    '[f(a=05)]',
    "[f(a='\ud800')]",
    '{"name": "f"}',
  ])('%j cannot be decoded', (reply) => {
    expect(decoded(reply)).toBeUndefined();
  });

  it.each([
    ['\'a\' "b"', "'ab'"],
    ['-5', '-5'],
    ['+5', '-5'],
    ['~5', '-5'],
    ['not True', '-1'],
    ['5.0', '5.0'],
    ['1e16', '1e+16'],
    ['True', 'True'],
    ['None', 'None'],
    ['true', "'true'"],
    ['...', "'...'"],
    ['naïve', "'naïve'"],
    ['(1, 2)', '(1, 2)'],
    ['(1)', '1'],
    ["{'k': [1, x], 2: None}", "{'k': [1, 'x'], 2: None}"],
    ['{1: 2, True: 3}', '{1: 3}'],
    ['2 + 3 * 4', '14'],
    ['2 ** 10', '1024'],
    ['2 ** -1', '0.5'],
    ['7 // 2', '3'],
    ['-7 // 2', '-4'],
    ['-7 % 3', '2'],
    ['7 / 2', '3.5'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['1 << 3 | 1', '9'],
    ["'ab' * 2 + 'c'", "'ababc'"],
    ['[1] * 2 + [3]', '[1, 1, 3]'],
    ['True + 1', '2'],
    ['g(x=1)', "{'g': {'x': 1}}"],
    ['g( 1,"b" )', '"g(1, \'b\')"'],
    ['a.b [ 0 ]', "'a.b[0]'"],
    ['a[1:2]', "'a[1:2]'"],
    ['12345678901234567890123', '12345678901234567890123'],
  ])('an argument %s is %s', (argument, value) => {
    expect(decoded(`[f(a=${argument})]`)).toBe(`[{'f': {'a': ${value}}}]`);
  });

  it.each([
    '-x',
    '--5',
    '-"a"',
    'x + 1',
    '1 / 0',
    "'a' + 1",
    'a.b',
    'x if y else z',
    '{1, 2}',
    'lambda: 1',
    "f'x'",
    '{[]: 1}',
    '{**a}',
    '1 < 2',
    '10 ** 10 ** 10',
    "'a' * 10 ** 10",
  ])('an argument %s spoils the reply', (argument) => {
    expect(decoded(`[f(a=${argument})]`)).toBeUndefined();
  });

  it('drops positional arguments whatever they are, and keeps the last of repeated keywords', () => {
    expect(decoded('[f(1, x > 2, *y, a=1, a=2)]')).toBe("[{'f': {'a': 2}}]");
    expect(decoded('[f([i for i in x if i], lambda z, *y: {**z}, a=1)]')).toBe("[{'f': {'a': 1}}]");
    expect(decoded('[f(**{"a": 1})]')).toBe("[{'f': {None: {'a': 1}}}]");
  });

  it('spells inner calls in one way', () => {
    const inner = (text: string) => decoded(`[f(a=g(${text}))]`);
    expect(inner('(1+2)*3, -x**2, (a,), {"k":v}, not b, a if b else c')).toBe(
      `[{'f': {'a': "g((1 + 2) * 3, -x ** 2, (a,), {'k': v}, not b, a if b else c)"}}]`,
    );
    expect(inner('x<1<y, a and(b or c), lambda q,*r:q, [*s], u.v[1,2:3], [i for(i,j)in k if i]')).toBe(
      "[{'f': {'a': 'g(x < 1 < y, a and (b or c), lambda q, *r: q, [*s], u.v[1, 2:3], [i for (i, j) in k if i])'}}]",
    );
  });

  it('is decoded at once however long or deep it is', () => {
    for (const reply of [
      '['.repeat(10_000_000),
      'f('.repeat(1_000_000),
      `[f(a=${'-'.repeat(1_000_000)}1)]`,
      `[f(a=${'1+'.repeat(1_000_000)}1)]`,
      `[f(a=${'not '.repeat(1_000_000)}1)]`,
      `[f(a=${'x.'.repeat(1_000_000)}y)]`,
      `[f(a=${'2**'.repeat(100_000)}2)]`,
      `[f(a=${'9'.repeat(1_000_000)})]`,
      `${'`'.repeat(10_000_000)}x`,
    ])
      expect(decodeReply(reply)).toBeUndefined();
    expect(decodeReply(`[f(a='${'x'.repeat(10_000_000)}')]`)).toHaveLength(1);
  });
});

describe('calls as function-calling models are recorded', () => {
  it('are objects with one key, whose arguments may be JSON text', () => {
    const [first, second] = decodedList([{ f: { a: 1 } }, { g: '{"b": 2.0}' }])!;
    expect([first!.name, first!.args.get('a')]).toEqual(['f', 1n]);
    expect([second!.name, second!.args.get('b')]).toEqual(['g', 2]);
    expect(decodedList([{ f: {}, g: {} }])).toBeUndefined();
    expect(decodedList([{ f: 'no JSON' }])).toBeUndefined();
  });
});
