import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../test/cpu-time.ts';
import { templateSource } from './fixtures.ts';
import { callFormat, readReply } from './read-reply.ts';
import type { CallFormat } from './reply.ts';

const read = (format: CallFormat, text: string) => readReply(format, text);
const open = { name: 'open', args: { it: 'box' } };
const shut = { name: 'shut', args: {} };

describe('the form of calls', () => {
  it('follows from the template', () => {
    const formats = (['tags', 'headers', 'brackets', 'channels', 'python'] as const).map((name) =>
      callFormat(templateSource(name)),
    );
    expect(formats).toEqual(['hermes', 'llama', 'mistral', 'harmony', 'none']);
  });
});

describe('calls in tags', () => {
  it('are read with the words before them, one or several, closed or not', () => {
    const one = '<tool_call>\n{"name": "open", "arguments": {"it": "box"}}\n</tool_call>';
    expect(read('hermes', `I look.\n${one}`)).toMatchObject({ content: 'I look.', calls: [open] });
    expect(read('hermes', `${one}\n<tool_call>{"name": "shut", "arguments": "{}"}`).calls).toEqual([open, shut]);
    expect(read('hermes', `${one.replace('</tool_call>', '')}${one}`).calls).toEqual([open, open]);
  });

  it('that are no calls are named', () => {
    expect(read('hermes', '<tool_call>open the box</tool_call>')).toMatchObject({
      calls: [],
      malformed: 'a tool call is not {"name", "arguments"}: open the box',
    });
  });
});

describe('calls as bare JSON', () => {
  it('are read with parameters, after a python tag, and several with semicolons between', () => {
    const one = '{"name": "open", "parameters": {"it": "box"}}';
    expect(read('llama', one).calls).toEqual([open]);
    expect(read('llama', `<|python_tag|>${one}; {"name": "shut", "parameters": {}}`).calls).toEqual([open, shut]);
    expect(read('llama', '{"name": "open", "parameters": {"it": "a } in \\" quotes"}}').calls[0]?.args.it).toBe(
      'a } in " quotes',
    );
  });

  it('of built-in tools are read, and code for an interpreter is left alone', () => {
    expect(read('llama', '<|python_tag|>search.call(query="a, (b)", limit=3)').calls).toEqual([
      { name: 'search', args: { query: 'a, (b)', limit: 3 } },
    ]);
    expect(read('llama', '<|python_tag|>print(1)')).toEqual({
      content: '<|python_tag|>print(1)',
      rest: '<|python_tag|>print(1)',
      calls: [],
    });
  });

  it('are told from words', () => {
    expect(read('llama', 'Use {"name": "open"}.')).toMatchObject({ calls: [], content: 'Use {"name": "open"}.' });
    expect(read('llama', '{"name": "open", "parameters": {').malformed).toContain('a tool call is not');
    expect(read('llama', '{"answer": 3}').malformed).toContain('a tool call is not');
  });
});

describe('calls after [TOOL_CALLS]', () => {
  it('are read as a list and by name', () => {
    expect(
      read(
        'mistral',
        'So:[TOOL_CALLS] [{"name": "open", "arguments": {"it": "box"}, "id": "abcdefghi"}, {"name": "shut", "arguments": {}}]',
      ),
    ).toMatchObject({
      content: 'So:',
      calls: [open, shut],
    });
    expect(
      read('mistral', '[TOOL_CALLS]open[CALL_ID]abcdefghi[ARGS]{"it": "box"}[TOOL_CALLS]shut[ARGS]{}').calls,
    ).toEqual([open, shut]);
    expect(read('mistral', '[TOOL_CALLS]open{"it": "box"}').calls).toEqual([open]);
  });

  it('may follow thoughts', () => {
    expect(read('mistral', '[THINK]hm[/THINK]hello')).toMatchObject({
      reasoning: 'hm',
      content: 'hello',
      rest: 'hello',
    });
  });
});

describe('channels', () => {
  it('hold thoughts, calls and the answer', () => {
    const call =
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.open <|constrain|>json<|message|>{"it": "box"}';
    expect(read('harmony', call)).toMatchObject({ reasoning: 'hm', content: '', calls: [open] });
    const addressed =
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant to=functions.open<|channel|>commentary json<|message|>{"it": "box"}<|call|>';
    expect(read('harmony', addressed).calls).toEqual([open]);
    const answer = '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>hello';
    expect(read('harmony', answer)).toMatchObject({ reasoning: 'hm', content: 'hello', rest: 'hello', calls: [] });
  });

  it('that were cut off say what there is', () => {
    expect(read('harmony', '<|channel|>analysis<|message|>still thin')).toMatchObject({
      reasoning: 'still thin',
      content: '',
    });
    expect(read('harmony', '<|channel|>final')).toMatchObject({ content: '', calls: [] });
    expect(read('harmony', 'plain words')).toMatchObject({ content: 'plain words' });
    expect(read('harmony', ' to=functions.open<|channel|>commentary<|message|>{"it": "b').malformed).toContain(
      'has no JSON object',
    );
  });
});

describe('thoughts', () => {
  it('are told from the answer, also where the prompt opened them', () => {
    expect(read('hermes', '<think>\nhm\n</think>\n\nhello')).toEqual({
      reasoning: 'hm',
      content: 'hello',
      rest: 'hello',
      calls: [],
    });
    expect(read('none', 'hm\n</think>\n\nhello')).toMatchObject({ reasoning: 'hm', content: 'hello' });
  });

  it('that never end are no thoughts, and tags inside an answer are words', () => {
    expect(read('hermes', '<think>\nhm')).toMatchObject({ content: '<think>\nhm' });
    expect(read('hermes', 'I write <think>x</think> here')).toMatchObject({ content: 'I write <think>x</think> here' });
  });
});

describe('anything', () => {
  const formats: CallFormat[] = ['hermes', 'llama', 'mistral', 'harmony', 'none'];
  const pieces = fc.constantFrom(
    ...[
      '<tool_call>',
      '</tool_call>',
      '{"name":',
      '"open"',
      ',"arguments":',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      'x.call(',
      ')',
      'a=1',
      ',',
    ],
    ...[
      '<|python_tag|>',
      ';',
      '[TOOL_CALLS]',
      '[ARGS]',
      '[CALL_ID]',
      '<|channel|>',
      '<|message|>',
      '<|start|>',
      '<|end|>',
      ' to=',
      'functions.',
    ],
    ...['<think>', '</think>', '\n', ' ', '1e999', 'null', '日本', '\ud800'],
  );
  it('can be read without an error, in every form', () => {
    fc.assert(
      fc.property(fc.constantFrom(...formats), fc.array(pieces, { maxLength: 30 }), (format, parts) => {
        const reply = read(format, parts.join(''));
        for (const { name, args } of reply.calls) {
          expect(typeof name).toBe('string');
          expect(Array.isArray(args)).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is read in linear time', () => {
    const long = 200_000;
    for (const format of formats) {
      for (const piece of [
        '<tool_call>',
        '{',
        '[TOOL_CALLS]',
        '<|start|>',
        '\n',
        'x.call(',
        'a=1,',
        '"',
        '</think>',
        'x</think>\n',
      ]) {
        const spent = cpuStopwatch();
        read(format, piece.repeat(long / piece.length));
        read(format, `<|python_tag|>x.call(${piece.repeat(long / piece.length)})`);
        read(format, `<think>x${piece.repeat(long / piece.length)}x</think>`);
        expect(spent()).toBeLessThan(5000);
      }
    }
  });
});
