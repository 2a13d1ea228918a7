import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finalAnswer, readTurn, searchR1Answer } from './answer.ts';

const call = (line: string, rest = '') => `<think> why </think>\n<tool_call>\n${line}\n</tool_call>${rest}`;

describe('a turn', () => {
  it.each([
    [call('{"name": "Search", "parameters": {"query": "x"}}'), 'x'],
    [call("{'name': 'Search', 'parameters': {'query': 'it\\'s'}}"), "it's"],
    [call('{"name": "Other", "parameters": {"query": "x"}}\nnonsense'), 'x'],
    [call('{"parameters": {"query": "x"}}', '<response> y </response>'), 'x'],
    ['<response> y </response> <tool_call>{"parameters": {"query": "x"}}', 'x'],
    ['<think><tool_call>{"parameters": {"query": "x"}}</tool_call></think>', 'x'],
    [`${call('{"parameters": {"query": "x"}}')}${call('{"parameters": {"query": "y"}}')}`, 'x'],
    [call('{"parameters": {"query": 7}}'), 7],
    [call('{"parameters": {"query": "x", "n": None}}  # why'), 'x'],
  ])('is a search: %j', (reply, query) => {
    expect(readTurn(reply)).toMatchObject({ kind: 'search', query });
  });

  it('keeps the thought: what is in its tags, or else what stands before the call', () => {
    expect(readTurn(call('{"parameters": {"query": "x"}}'))).toMatchObject({ thought: 'why' });
    expect(readTurn('I wonder. <tool_call>{"parameters": {"query": "x"}}')).toMatchObject({ thought: 'I wonder.' });
  });

  it.each([
    call('{"parameters": {"query": "x", "exact": true}}'),
    call('{"parameters": {"query": null}}'),
    call('{\n"parameters": {"query": "x"}}'),
    call('{"parameters": {}}'),
    call('{"query": "x"}'),
    call('{"parameters": "query"}'),
    call('[{"parameters": {"query": "x"}}]'),
    call('"parameters"'),
    call('Search("x")'),
    call(''),
    '<tool_call>',
    call(`${'['.repeat(10_000)}`),
    call('{"__proto__": {"query": "x"}}'),
    call('{"parameters": {"__proto__": {"query": "x"}}}'),
  ])('is lost: %j', (reply) => {
    expect(readTurn(reply).kind).toBe('ignored_turn');
  });

  it.each([
    ['<think> x </think>\n<response> Paris </response>', 'Paris'],
    ['<response>Paris', 'Paris'],
    ['<response>Paris<response>Rome</response>', 'Paris'],
    ['<think> maybe <response>Rome</response> </think><response>Paris</response>', 'Rome'],
    ['<think> x </think> Paris', 'Paris'],
    ['<think> x </think> Paris </think> Rome', 'Paris'],
    ['  Paris \n', 'Paris'],
    ['<think> x', '<think> x'],
    ['<think> x </think>', ''],
    ['', ''],
    ['<response></response>Paris', ''],
  ])('is an answer: %j says %j', (reply, answer) => {
    expect(readTurn(reply)).toEqual({ kind: 'answer', answer });
  });

  it('is always something', () => {
    const piece = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '<response>',
      '</think>',
      '{',
      '}',
      "'",
      '\\',
      '\n',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (reply) => {
          expect(['search', 'ignored_turn', 'answer']).toContain(readTurn(reply).kind);
        },
      ),
    );
  });
});

describe("Search-R1's answer", () => {
  it('is the last pair of tags, if there are enough of them', () => {
    const two = 'such as <answer> Rome </answer>. Well: <answer>\nParis\n</answer>';
    expect(searchR1Answer(two, 2)).toBe('Paris');
    expect(searchR1Answer('<answer>Paris</answer>', 2)).toBeUndefined();
    expect(searchR1Answer('<answer>Paris</answer>', 1)).toBe('Paris');
    expect(searchR1Answer('Paris', 1)).toBeUndefined();
    expect(searchR1Answer('<answer>a</answer><answer>b', 2)).toBeUndefined();
    expect(searchR1Answer('<answer>a<answer>b</answer><answer></answer>', 2)).toBe('');
  });

  it('takes linear time to find', () => {
    expect(searchR1Answer('<answer>'.repeat(1e6), 1)).toBeUndefined();
    expect(searchR1Answer('<answer>x</answer>'.repeat(5e5), 2)).toBe('x');
  });
});

describe('a saved output', () => {
  it.each([
    ['Paris', 'Paris'],
    ['<think> x </think><response> Paris </response>', 'Paris'],
    ['<think> x </think> So: <answer> Rome </answer> no, <answer>Paris</answer>', 'Paris'],
    ['<think> x </think><search>q</search><think> Rome? </think><answer>Paris</answer>', 'Paris'],
    ['<think> <answer>Rome</answer> </think> Paris', 'Paris'],
    ['<response> <answer>Paris</answer> </response>', '<answer>Paris</answer>'],
    [1999, '1999'],
    [{ answer: 'Paris', observations: 2 }, 'Paris'],
  ])('%j says %j', (output, answer) => {
    expect(finalAnswer(output)).toMatchObject({ answer });
  });

  it.each([
    undefined,
    null,
    true,
    [],
    {},
    ['Paris'],
    '',
    ' ',
    '<response> </response>',
    { answer: '' },
    { answer: 7 },
    Number.NaN,
  ])('%j says nothing', (output) => {
    expect(finalAnswer(output)).toEqual({ problem: 'no answer' });
  });

  it('may be a call that was never carried out', () => {
    expect(finalAnswer(call('{"parameters": {"query": "x"}}'))).toEqual({ problem: 'a tool call, not an answer' });
  });
});
