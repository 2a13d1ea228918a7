import { describe, expect, it } from 'vitest';
import type { Session } from '../core/benchmark.ts';
import { createRng } from '../core/rng.ts';
import type { Json } from '../core/types.ts';
import { CAPITAL, LAMP, lampWorld, PRESS_ONE, press, rollout, sample, saying, tag, task } from './fixtures.ts';
import { rolloutTask } from './rollout.ts';

describe('a task without a world', () => {
  it('is answered in one turn, and the trace holds all of it', async () => {
    const { sampler } = saying('[{"name":"press","args":{"button":"1"}}]');
    const [trace] = await rollout(PRESS_ONE, sampler);
    const said = sample('[{"name":"press","args":{"button":"1"}}]');
    expect(trace).toEqual({
      index: 0,
      policy: 'agent-7',
      messages: [{ role: 'assistant', content: said.text, tokens: said.tokens }],
      turns: [{ prompt: Int32Array.of(-1), tokens: said.tokens, logprobs: said.logprobs }],
      answer: [press('1')],
      reward: 1,
      success: true,
      valid: true,
      stop: 'answer',
    });
  });

  it('asks for all samples in one request, with the task, the limits and a seed', async () => {
    const { sampler, requests } = saying('Paris');
    const traces = await rollout(CAPITAL, sampler, { count: 5 });
    expect(traces.map((t) => t.index)).toEqual([0, 1, 2, 3, 4]);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      messages: CAPITAL.prompt,
      tools: CAPITAL.tools,
      n: 5,
      maxTokens: 100,
      temperature: 0.7,
      seed: expect.any(Number),
    });
  });

  it('has the same seed for the same stream and another for another', async () => {
    const limits = { maxTokens: 10, maxTurns: 1, tokenBudget: 10, successThreshold: 'auto' as const };
    const seeds = await Promise.all(
      [1, 1, 2].map(async (stream) => {
        const { sampler, requests } = saying('Paris');
        const context = { ...limits, sampler, benchmark: {}, temperature: 1, signal: new AbortController().signal };
        await rolloutTask(CAPITAL, 1, createRng(stream), context);
        return requests[0]!.seed;
      }),
    );
    expect(seeds[0]).toBe(seeds[1]);
    expect(seeds[2]).not.toBe(seeds[0]);
  });

  it('counts a success from the threshold on: exactly right for calls, 0.8 for text, or as set', async () => {
    const nearly = task({ kind: 'text', target: 'a b c d e f g h', metric: 'f1' });
    const { sampler } = saying('b c d e f g x');
    const [byDefault] = await rollout(nearly, sampler);
    expect(byDefault!.reward).toBeCloseTo(12 / 14);
    expect(byDefault!.success).toBe(true);
    const [strict] = await rollout(nearly, sampler, { successThreshold: 0.9 });
    expect(strict).toMatchObject({ success: false, valid: true, reward: byDefault!.reward });
  });

  it('gives a wrong answer nothing, and it counts', async () => {
    const [trace] = await rollout(CAPITAL, saying('Rome').sampler);
    expect(trace).toMatchObject({ stop: 'answer', reward: 0, success: false, valid: true, answer: 'Rome' });
  });

  it('judges a json answer as JSON', async () => {
    const spec = task({ kind: 'json', target: { a: [1, 2] } });
    const [right] = await rollout(spec, saying('```json\n{"a":[1,2]}\n```').sampler);
    expect(right).toMatchObject({ stop: 'answer', reward: 1, answer: { a: [1, 2] } });
  });
});

describe('a task with a world', () => {
  it('keeps what the judge says of its reward, cut to size', async () => {
    const { benchmark } = lampWorld();
    const told = {
      session: (): Session => ({
        ...benchmark.session(),
        terms: (answer) => [
          { name: 'the lamp is on', score: 1, detail: String(answer).repeat(200) },
          { name: 'the room is warm', score: Number.NaN },
        ],
      }),
    };
    const [trace] = await rollout(LAMP, saying(tag('2'), 'It is on.').sampler, { benchmark: told });
    expect(trace!.terms).toEqual([
      { name: 'the lamp is on', score: 1, detail: `${'It is on.'.repeat(200).slice(0, 300)}…` },
      { name: 'the room is warm', score: null },
    ]);
  });

  it('goes on from call to observation to the next turn, until there is an answer', async () => {
    const { benchmark, calls } = lampWorld();
    const { sampler, requests } = saying(`I try. ${tag('1')}`, tag('2'), 'It is on.');
    const [trace] = await rollout(LAMP, sampler, { benchmark });
    expect(calls).toEqual([press('1'), press('2')]);
    expect(trace!.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      `assistant: I try. ${tag('1')}`,
      'tool: Nothing happens.',
      `assistant: ${tag('2')}`,
      'tool: The lamp is on.',
      'assistant: It is on.',
    ]);
    expect(trace).toMatchObject({ stop: 'answer', reward: 1, success: true, valid: true, answer: 'It is on.' });
    expect(trace!.turns).toHaveLength(3);
    expect(requests.map((r) => [r.n, r.messages.length])).toEqual([
      [1, 1],
      [1, 3],
      [1, 5],
    ]);
  });

  it('shows the next turn what was sampled as ids, so that nothing is tokenised twice', async () => {
    const { benchmark } = lampWorld();
    const { sampler, requests } = saying(tag('1'), tag('2'), 'Done.');
    const [trace] = await rollout(LAMP, sampler, { benchmark });
    const [first, second, third] = trace!.turns;
    expect(requests[1]!.messages[1]!.tokens).toEqual(first!.tokens);
    expect([...second!.prompt]).toEqual([...first!.prompt, ...first!.tokens, -1]);
    expect([...third!.prompt]).toEqual([...second!.prompt, ...second!.tokens, -1]);
  });

  it('gives each rollout a world and a conversation of its own', async () => {
    const { benchmark } = lampWorld();
    const { sampler, requests } = saying(tag('2'), 'Done.');
    const lamps = await rollout(LAMP, sampler, { benchmark, count: 3 });
    expect(lamps.map((t) => t.reward)).toEqual([1, 1, 1]);
    expect(requests.map((r) => r.n)).toEqual([3, 1, 1, 1]);
    const seeds = requests.map((r) => r.seed);
    expect(new Set(seeds).size).toBe(4);
  });

  it('ends where the world says so', async () => {
    const { benchmark } = lampWorld();
    const { sampler, requests } = saying(`${tag('2')}${tag('exit')}${tag('1')}`);
    const [trace] = await rollout(LAMP, sampler, { benchmark });
    expect(trace).toMatchObject({ stop: 'answer', reward: 1 });
    expect(trace!.messages.filter((m) => m.role === 'tool')).toHaveLength(2);
    expect(requests).toHaveLength(1);
  });

  it('judges all calls of the conversation where the eval names them, ended by words', async () => {
    const both = task({ kind: 'toolCalls', target: [press('1'), press('2')] });
    const session = (): Session => ({ call: () => ({ content: 'ok' }) });
    const { sampler } = saying(tag('1'), tag('2'), 'Both are pressed.');
    const [trace] = await rollout(both, sampler, { benchmark: { session } });
    expect(trace).toMatchObject({ stop: 'answer', reward: 1, answer: [press('1'), press('2')] });
  });

  it('can be answered at once without a call, but not where calls were wanted', async () => {
    const { benchmark } = lampWorld();
    expect(await rollout(LAMP, saying('I refuse.').sampler, { benchmark })).toMatchObject([
      { stop: 'answer', reward: 0 },
    ]);
    expect(await rollout(PRESS_ONE, saying('I refuse.').sampler, { benchmark })).toMatchObject([
      { stop: 'malformed', error: 'no tool call found', valid: true, reward: 0 },
    ]);
  });
});

it('every trace can be written down as JSON, whatever the agent said', async () => {
  const lines = ['['.repeat(20_000) + ']'.repeat(20_000), '{"a":1e999}', '\0', '"\\ud800"', '{"__proto__":1}'];
  for (const line of lines) {
    const [trace] = await rollout(task({ kind: 'json', target: 1 }), saying(line).sampler);
    const answer: Json = trace!.answer;
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    expect(trace!.valid).toBe(true);
  }
});
