import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../test/cpu-time.ts';
import type { EvalSpec } from '../core/types.ts';
import { readAnswer, textAnswer } from './answer.ts';

const CALLS: EvalSpec = { kind: 'toolCalls', target: [] };
const TEXT: EvalSpec = { kind: 'text', target: 'x', metric: 'f1' };
const JSON_SPEC: EvalSpec = { kind: 'json', target: null };
const WORLD: EvalSpec = { kind: 'world', world: 'house', goal: null };
const SCRIPT: EvalSpec = { kind: 'script', source: '' };

const read = (text: string, spec: EvalSpec = CALLS) => readAnswer({ text }, spec);
const ring = { name: 'ring', args: { bell: 'red' } };

describe('tool calls', () => {
  it.each([
    ['one object', '{"name": "ring", "arguments": {"bell": "red"}}'],
    ['a list', '[{"name": "ring", "arguments": {"bell": "red"}}]'],
    ['the word args', '[{"name": "ring", "args": {"bell": "red"}}]'],
    ['the word parameters', '[{"name": "ring", "parameters": {"bell": "red"}}]'],
    ['a fence', '```\n[{"name": "ring", "args": {"bell": "red"}}]\n```'],
    ['a fence that names its language', '```json\n[{"name": "ring", "args": {"bell": "red"}}]\n```'],
    ['a fence on one line', '```json[{"name":"ring","args":{"bell":"red"}}]```'],
    ['space around', '  \n[{"name": "ring", "args": {"bell": "red"}}]\n '],
    ['a tag', '<tool_call>\n{"name": "ring", "arguments": {"bell": "red"}}\n</tool_call>'],
    ['a tag that was never closed', '<tool_call>{"name": "ring", "arguments": {"bell": "red"}}'],
  ])('are read as %s', (_, text) => {
    expect(read(text)).toEqual({ kind: 'calls', calls: [ring], said: '' });
  });

  it('keep their order over several tags, and the words before the first', () => {
    const text =
      'I ring it twice. <tool_call>{"name":"ring","arguments":{"bell":"red"}}</tool_call> and\n<tool_call>{"name":"stop"}</tool_call>';
    expect(read(text)).toEqual({
      kind: 'calls',
      calls: [ring, { name: 'stop', args: {} }],
      said: 'I ring it twice.',
    });
  });

  it('that the server parsed are taken as they are, for every kind of eval', () => {
    for (const spec of [CALLS, TEXT, JSON_SPEC, WORLD, SCRIPT]) {
      expect(readAnswer({ text: 'thinking', toolCalls: [ring] }, spec)).toEqual({
        kind: 'calls',
        calls: [ring],
        said: 'thinking',
      });
    }
  });

  it('are not there when the server parsed none: the text counts', () => {
    expect(readAnswer({ text: 'Paris', toolCalls: [] }, TEXT)).toEqual({ kind: 'text', text: 'Paris' });
  });

  it('in tags are calls for every kind of eval; bare JSON only where calls are wanted', () => {
    const tag = '<tool_call>{"name":"look"}</tool_call>';
    for (const spec of [CALLS, TEXT, JSON_SPEC, WORLD, SCRIPT]) expect(read(tag, spec).kind).toBe('calls');
    const bare = '[{"name":"look"}]';
    expect([CALLS, WORLD].map((spec) => read(bare, spec).kind)).toEqual(['calls', 'calls']);
    expect([TEXT, JSON_SPEC, SCRIPT].map((spec) => read(bare, spec).kind)).toEqual(['text', 'text', 'text']);
  });

  it('may be none at all', () => {
    expect(read('[]')).toEqual({ kind: 'calls', calls: [], said: '' });
  });

  it.each([
    ['broken JSON', '[{"name": "ring"', 'not JSON: [{"name": "ring"'],
    ['a list of other things', '[1, 2]', 'not a list of calls: [1, 2]'],
    ['one bad call among good ones', '[{"name":"ring"},{"nam":"ring"}]', 'not a list of calls'],
    ['a name that is no text', '{"name": 3}', 'not a list of calls'],
    ['arguments that are no object', '{"name":"ring","arguments":[1]}', 'not a list of calls'],
    ['arguments in a text', '{"name":"ring","arguments":"{}"}', 'not a list of calls'],
    ['a tag with words in it', '<tool_call>ring it</tool_call>', 'a tool call is not {"name", "arguments"}: ring it'],
    ['an empty tag', '<tool_call></tool_call>', 'a tool call is not'],
    [
      'a bad tag after a good one',
      '<tool_call>{"name":"ring"}</tool_call><tool_call>{}</tool_call>',
      'a tool call is not',
    ],
  ])('are malformed as %s', (_, text, why) => {
    expect(read(text)).toEqual({ kind: 'malformed', why: expect.stringContaining(why) });
  });
});

describe('text', () => {
  it('is what was written, trimmed', () => {
    expect(read('  Paris \n', TEXT)).toEqual({ kind: 'text', text: 'Paris' });
  });

  it('is the inside of the first answer tag, over several lines', () => {
    expect(read('Let me think.\n<answer>\nParis\n</answer> <answer>Rome</answer>', TEXT)).toEqual({
      kind: 'text',
      text: 'Paris',
    });
  });

  it('keeps an answer tag that was never closed', () => {
    expect(read('<answer>Paris', TEXT)).toEqual({ kind: 'text', text: '<answer>Paris' });
    expect(read('</answer>Paris<answer>', TEXT)).toEqual({ kind: 'text', text: '</answer>Paris<answer>' });
  });

  it('is parsed for a json eval, with or without a fence, and taken literally for the others', () => {
    expect(textAnswer('{"a": [1, null]}', JSON_SPEC)).toEqual({ answer: { a: [1, null] } });
    expect(textAnswer(' ```json\n{"a": 1}\n```', JSON_SPEC)).toEqual({ answer: { a: 1 } });
    expect(textAnswer('```\n"words"```', JSON_SPEC)).toEqual({ answer: 'words' });
    expect(textAnswer('null', JSON_SPEC)).toEqual({ answer: null });
    expect(textAnswer('{"a": 1}', TEXT)).toEqual({ answer: '{"a": 1}' });
    expect(textAnswer('{"a": 1}', SCRIPT)).toEqual({ answer: '{"a": 1}' });
  });

  it.each(['', '{', 'the answer is 3', '```json\n{"a": 1}', '``````', '`````', 'undefined', 'NaN'])(
    'is not JSON when it is %j',
    (text) => {
      expect(textAnswer(text, JSON_SPEC)).toEqual({ why: 'not JSON' });
    },
  );
});

describe('hostile output', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  it('that nests too deep to be written down again is refused, in every place it can come from', () => {
    expect(textAnswer(nested(64), JSON_SPEC)).toHaveProperty('answer');
    const why = 'nested more than 64 levels deep';
    for (const levels of [65, 5_000, 200_000]) {
      const args = `{"a":${nested(levels)}}`;
      expect(textAnswer(nested(levels), JSON_SPEC)).toEqual({ why });
      expect(read(`{"name":"ring","args":${args}}`)).toEqual({ kind: 'malformed', why });
      expect(read(`<tool_call>{"name":"ring","args":${args}}</tool_call>`)).toEqual({ kind: 'malformed', why });
      const toolCalls = [{ name: 'ring', args: JSON.parse(args) }];
      expect(readAnswer({ text: '', toolCalls }, CALLS)).toEqual({ kind: 'malformed', why });
    }
  });

  it('with a number beyond all numbers is refused, because it would be stored as null', () => {
    expect(textAnswer('1e999', JSON_SPEC)).toEqual({ why: 'a number is too large' });
    expect(read('{"name":"say","args":{"number":-1e999}}')).toMatchObject({ kind: 'malformed' });
  });

  it('named __proto__ is an ordinary key and changes no object', () => {
    const reading = read('{"name":"ring","args":{"__proto__":{"bell":"red"}},"__proto__":{"args":{}}}');
    expect(reading.kind === 'calls' && Object.keys(reading.calls[0]!.args)).toEqual(['__proto__']);
    expect(read('{"__proto__":{"name":"ring"}}').kind).toBe('malformed');
    expect(({} as { bell?: string }).bell).toBeUndefined();
  });

  it('that is huge is read in time that grows with its length', () => {
    const spent = cpuStopwatch();
    const long = 300_000;
    expect(read('<answer>'.repeat(long / 8), TEXT).kind).toBe('text');
    expect(textAnswer(`\`\`\`${' '.repeat(long)}x`, JSON_SPEC)).toEqual({ why: 'not JSON' });
    expect(textAnswer(`\`\`\`${' \n'.repeat(long / 2)}x\`\`\``, JSON_SPEC)).toEqual({ why: 'not JSON' });
    expect(read(`\`\`\`{${' '.repeat(long)}x`).kind).toBe('malformed');
    expect(read('<tool_call>'.repeat(long / 11)).kind).toBe('malformed');
    // Quadratic reading of any of these takes minutes.
    expect(spent()).toBeLessThan(2_000);
  });

  it('is quoted in a reason only in part', () => {
    const reading = read(`[${'x'.repeat(10_000)}`);
    expect(reading.kind === 'malformed' && reading.why.length).toBeLessThan(120);
  });

  it('of any kind is read without an exception', () => {
    const spec = fc.constantFrom(CALLS, TEXT, JSON_SPEC, WORLD, SCRIPT);
    const piece = fc.oneof(
      fc.constantFrom(
        '<tool_call>',
        '</tool_call>',
        '```',
        '```json',
        '<answer>',
        '</answer>',
        '{',
        '}',
        '[',
        ']',
        '"',
      ),
      fc.json(),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), spec, (pieces, s) => {
        const reading = read(pieces.join(''), s);
        if (reading.kind === 'text') textAnswer(reading.text, s);
        expect(['calls', 'text', 'malformed']).toContain(reading.kind);
      }),
      { numRuns: 60 },
    );
  });

  it('reads back whatever calls a well-behaved model writes', () => {
    const call = fc.record({
      name: fc.string({ minLength: 1 }).filter((name) => !name.includes('</tool_call>')),
      args: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
        noNullPrototype: true,
      }),
    });
    const clean = (text: string) => !text.includes('tool_call>') && !text.includes('```');
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), (calls) => {
        const bare = JSON.stringify(calls);
        fc.pre(clean(bare));
        const tagged = calls.map(
          (c) => `<tool_call>${JSON.stringify({ name: c.name, arguments: c.args })}</tool_call>`,
        );
        for (const text of [bare, `\`\`\`json\n${bare}\n\`\`\``, tagged.join('\n')]) {
          const reading = read(text);
          expect(reading.kind === 'calls' && JSON.stringify(reading.calls)).toBe(bare);
        }
      }),
    );
  });
});
