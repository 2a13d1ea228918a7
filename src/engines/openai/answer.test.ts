import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Asked, readAnswer } from './answer.ts';
import { ServerFault } from './fault.ts';
import { chat, choice } from './fixtures.ts';

const asked = (more: Partial<Asked> = {}): Asked => ({ n: 1, maxTokens: 16, logprobs: 'auto', ...more });
const read = (json: unknown, more: Partial<Asked> = {}) => readAnswer(json, asked(more));
const only = (json: unknown, more: Partial<Asked> = {}) => read(json, more).samples[0]!;
const content = (...logprobs: unknown[]) => ({
  logprobs: { content: logprobs.map((logprob) => ({ token: 'a', logprob })) },
});

describe('an answer', () => {
  it.each([
    ['null', null],
    ['a list', []],
    ['no choices', {}],
    ['empty choices', { choices: [] }],
    ['choices that are no list', { choices: {} }],
    ['a choice that is no object', { choices: [7] }],
    ['a text that is a number', { choices: [{ message: { content: 7 } }] }],
    ['an aborted choice', chat([choice('half', { finish_reason: 'abort' })])],
  ])('with %s is a fault to retry', (_, json) => {
    expect(() => read(json)).toThrow(ServerFault);
    expect(() => read(json)).toThrow('the answer cannot be used');
  });

  it('with more choices than asked for gives as many as asked for', () => {
    expect(read(chat([choice('a'), choice('b'), choice('c')]), { n: 2 }).samples.map(({ text }) => text)).toEqual([
      'a',
      'b',
    ]);
  });

  it('may write its text in parts, or none at all', () => {
    const parts = [{ type: 'text', text: 'one ' }, { type: 'image' }, { type: 'text', text: 'two' }];
    expect(only(chat([choice('', { message: { content: parts } })])).text).toBe('one two');
    expect(only(chat([choice('', { message: { content: null } })])).text).toBe('');
  });

  it('is never more than a fault, whatever the server sends', () => {
    const anything = fc.anything({ maxDepth: 4 });
    const near = fc.record({
      choices: fc.array(
        fc.record(
          {
            message: fc.record(
              { content: fc.oneof(fc.string(), anything), tool_calls: anything },
              { requiredKeys: [] },
            ),
            text: fc.string(),
            finish_reason: fc.oneof(fc.string(), anything),
            logprobs: fc.record({ content: anything, token_logprobs: anything }, { requiredKeys: [] }),
            token_ids: anything,
          },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
      usage: fc.record({ prompt_tokens: anything, completion_tokens: anything }, { requiredKeys: [] }),
      prompt_token_ids: anything,
    });
    fc.assert(
      fc.property(fc.oneof(anything, near), (json) => {
        try {
          for (const sample of read(json, { n: 3 }).samples) {
            expect(typeof sample.text).toBe('string');
            expect([0, sample.tokens.length]).toContain(sample.logprobs.length);
            expect(sample.logprobs.every((value) => value <= 0)).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ServerFault);
        }
      }),
    );
  });
});

describe('tokens', () => {
  it('are as many as the server counted, shared out by length where it counted several answers together', () => {
    const { samples } = read(
      chat([choice('aa'), choice('aaaaaaaa')], { usage: { prompt_tokens: 1, completion_tokens: 10 } }),
      { n: 2 },
    );
    expect(samples.map(({ tokens }) => tokens.length)).toEqual([2, 8]);
    expect(samples[0]!.tokens).toEqual(Int32Array.of(-1, -1));
  });

  it('are counted where nothing is shown of them, as with thoughts that stay hidden', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 10 };
    expect(
      read(chat([choice(''), choice('')], { usage }), { n: 2 }).samples.map(({ tokens }) => tokens.length),
    ).toEqual([5, 5]);
  });

  it('add up to the count, whatever the texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 8 }), fc.nat(1000), (texts, total) => {
        const usage = { prompt_tokens: 1, completion_tokens: total };
        const { samples } = read(
          chat(
            texts.map((text) => choice(text)),
            { usage },
          ),
          { n: texts.length },
        );
        expect(samples.reduce((sum, { tokens }) => sum + tokens.length, 0)).toBe(total);
      }),
    );
  });

  it('are counted by their log-probs where those come', () => {
    const { samples } = read(chat([choice('a', content(-1)), choice('b', content(-1, -2))]), { n: 2 });
    expect(samples.map(({ tokens }) => tokens.length)).toEqual([1, 2]);
  });

  it('have ids in three dialects', () => {
    const vllm = choice('a', { token_ids: [5, 6] });
    const llama = choice('a', { logprobs: { content: [{ id: 7, token: 'a', logprob: -1 }] } });
    const named = choice('a', { logprobs: { content: [{ token: 'token_id:8', logprob: -1 }] } });
    const completion = { text: 'a', finish_reason: 'stop', logprobs: { tokens: ['token_id:9'], token_logprobs: [-1] } };
    expect([vllm, llama, named, completion].map((each) => [...only(chat([each])).tokens])).toEqual([
      [5, 6],
      [7],
      [8],
      [9],
    ]);
  });

  it('that cannot be ids are counted, not believed', () => {
    for (const ids of [[1.5], [-1], [2 ** 31], ['1'], [null]]) {
      expect([...only(chat([choice('abc', { token_ids: ids })])).tokens]).toEqual([-1, -1, -1]);
    }
  });

  it('of the prompt come from either place', () => {
    expect([...read(chat([choice('a')], { prompt_token_ids: [1, 2] })).prompt]).toEqual([1, 2]);
    expect([...read(chat([choice('a', { prompt_token_ids: [3] })])).prompt]).toEqual([3]);
    expect([...read(chat([choice('a')])).prompt]).toEqual([]);
  });

  it('cannot be so many that counting them takes the memory', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1e15 };
    expect(read(chat([choice('abcd')], { usage }))).toMatchObject({
      count: undefined,
      samples: [{ tokens: { length: 1 } }],
    });
  });
});

describe('log-probs', () => {
  it('are taken as they are, a little above zero as zero', () => {
    expect(only(chat([choice('a', content(-0.5, 1e-6, -9999))])).logprobs).toEqual(Float32Array.of(-0.5, 0, -9999));
  });

  it.each([
    ['null for NaN', content(-1, null)],
    ['a string', content('-1')],
    ['above zero', content(0.5)],
    ['fewer than tokens', { ...content(-1), token_ids: [1, 2] }],
  ])('that are %s are left out and counted as odd, or a fault where they are insisted on', (_, more) => {
    const json = chat([choice('ab', more)]);
    expect(read(json)).toMatchObject({
      oddities: [expect.stringContaining('log-probs')],
      samples: [{ logprobs: new Float32Array() }],
    });
    expect(() => read(json, { logprobs: 'on' })).toThrow(/cannot be used: .*log-probs/);
    expect(read(json, { logprobs: 'off' }).oddities).toEqual([]);
  });

  it('that are missing are a fault where they are insisted on', () => {
    expect(() => read(chat([choice('a')]), { logprobs: 'on' })).toThrow('no log-probs');
  });

  it('of a completions endpoint are read too', () => {
    const completion = {
      text: 'ab',
      finish_reason: 'length',
      logprobs: { tokens: ['a', 'b'], token_logprobs: [-1, -2] },
    };
    expect(only({ choices: [completion] })).toMatchObject({
      text: 'ab',
      stop: 'length',
      logprobs: Float32Array.of(-1, -2),
    });
  });
});

describe('the end of an answer', () => {
  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['content_filter', 'length'],
  ])('%s means %s', (finish, stop) => {
    expect(only(chat([choice('abc', { finish_reason: finish })])).stop).toBe(stop);
  });

  it('for a reason nobody knows is judged by the length, and counted as odd', () => {
    const json = chat([choice('abc', { finish_reason: 'moonrise' })]);
    expect(read(json)).toMatchObject({ samples: [{ stop: 'stop' }], oddities: ['finish_reason moonrise'] });
    expect(only(json, { maxTokens: 3 }).stop).toBe('length');
    expect(only(chat([choice('abc', { finish_reason: null })]), { maxTokens: 3 }).stop).toBe('length');
  });
});

describe('calls', () => {
  const calling = (...calls: unknown[]) =>
    only(
      chat([
        choice('', {
          message: { content: 'Now.', tool_calls: calls.map((call) => ({ type: 'function', function: call })) },
        }),
      ]),
    );

  it('are taken as the server parsed them, with arguments as text or as they are', () => {
    const sample = calling(
      { name: 'a', arguments: '{"x":1}' },
      { name: 'b', arguments: { y: 2 } },
      { name: 'c', arguments: '' },
    );
    expect(sample.toolCalls).toEqual([
      { name: 'a', args: { x: 1 } },
      { name: 'b', args: { y: 2 } },
      { name: 'c', args: {} },
    ]);
    expect(sample.text).toBe('Now.');
  });

  it.each(['{"x":', '[1]', '"x"', 'null'])(
    'with the arguments %s are shown as written, for the policy to judge',
    (args) => {
      const sample = calling({ name: 'a', arguments: args });
      expect(sample.toolCalls).toBeUndefined();
      expect(sample.text).toBe(`Now.\n<tool_call>{"name": "a", "arguments": ${args}}</tool_call>`);
    },
  );

  it('nested ten thousand deep are no crash', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(calling({ name: 'a', arguments: `{"x":${deep}}` }).toolCalls).toHaveLength(1);
  });
});
