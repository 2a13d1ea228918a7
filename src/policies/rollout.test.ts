import { describe, expect, it } from 'vitest';
import type { Observation, Session } from '../core/benchmark.ts';
import { EngineStopped, type Sample, type SampleRequest, type Sampler } from '../core/engine.ts';
import { createRng } from '../core/rng.ts';
import type { EvalSpec, Json, Task, ToolCall } from '../core/types.ts';
import { type RolloutContext, rolloutTask } from './rollout.ts';

const task = (spec: EvalSpec): Task => ({
  id: 't-1',
  seedId: null,
  rootId: 't-1',
  origin: 'base',
  epoch: 0,
  prompt: [{ role: 'user', content: 'Light the lamp.' }],
  tools: [{ name: 'press', description: '', parameters: { type: 'object' } }],
  eval: spec,
  features: {},
  structure: '',
});

const press = (button: string): ToolCall => ({ name: 'press', args: { button } });
const PRESS_ONE = task({ kind: 'toolCalls', target: [press('1')] });
const CAPITAL = task({ kind: 'text', target: 'Paris', metric: 'exact' });
const LAMP = task({ kind: 'world', world: 'lamp', goal: 'on' });

const sample = (text: string, changes: Partial<Sample> = {}): Sample => ({
  text,
  tokens: Int32Array.from(text, (c) => c.charCodeAt(0)),
  logprobs: Float32Array.from(text, () => -0.5),
  stop: 'stop',
  ...changes,
});

/** A model that says these lines, one a turn, and remembers what it was asked. Its prompt is what it was shown, as ids. */
function saying(...lines: (string | Sample)[]) {
  const requests: SampleRequest[] = [];
  const sampler: Sampler = {
    version: 'agent-7',
    async sample(request) {
      requests.push(request);
      request.signal?.throwIfAborted();
      const turn = request.messages.filter((m) => m.role === 'assistant').length;
      const line = lines[Math.min(turn, lines.length - 1)]!;
      return {
        prompt: Int32Array.from(request.messages.flatMap((m) => (m.tokens ? [...m.tokens] : [-1]))),
        samples: Array.from({ length: request.n }, () => (typeof line === 'string' ? sample(line) : line)),
      };
    },
  };
  return { sampler, requests };
}

const rollout = (what: Task, sampler: Sampler, changes: Partial<RolloutContext> & { count?: number } = {}) => {
  const { count = 1, ...context } = changes;
  return rolloutTask(what, count, createRng(1), {
    sampler,
    benchmark: {},
    temperature: 0.7,
    signal: new AbortController().signal,
    maxTokens: 100,
    maxTurns: 4,
    tokenBudget: 1000,
    successThreshold: 'auto',
    ...context,
  });
};

/** A world whose lamp goes on when button 2 is pressed. */
function lampWorld(judge?: Session['judge']) {
  const calls: ToolCall[] = [];
  const session = (): Session => {
    let on = false;
    return {
      call(call): Observation {
        calls.push(call);
        if (call.args.button === '2') on = true;
        return {
          content: on ? 'The lamp is on.' : 'Nothing happens.',
          ...(call.args.button === 'exit' ? { done: true } : {}),
        };
      },
      judge: judge ?? (() => (on ? 1 : 0)),
    };
  };
  return { benchmark: { session }, calls };
}

const tag = (button: string) => `<tool_call>${JSON.stringify({ name: 'press', arguments: { button } })}</tool_call>`;

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

describe('every stop has a reason', () => {
  it('malformed: evaluable, worth nothing', async () => {
    const [trace] = await rollout(PRESS_ONE, saying('[{"name":').sampler);
    expect(trace).toMatchObject({
      stop: 'malformed',
      valid: true,
      reward: 0,
      success: false,
      answer: null,
      error: 'not JSON: [{"name":',
    });
    const [json] = await rollout(task({ kind: 'json', target: 1 }), saying('one').sampler);
    expect(json).toMatchObject({ stop: 'malformed', error: 'not JSON', valid: true });
  });

  it('a world that reads replies itself is told each of them whole, and answers as the user', async () => {
    const heard: string[] = [];
    const session = (): Session => ({
      say: (reply) => ({ content: `you said ${reply}`, done: heard.push(reply) === 2 }),
      judge: (answer) => (answer === 'two' ? 0.5 : 0),
    });
    const { sampler } = saying('<tool_call>one</tool_call>', 'two');
    const [trace] = await rollout(CAPITAL, sampler, { benchmark: { session } });
    expect(heard).toEqual(['<tool_call>one</tool_call>', 'two']);
    expect(trace!.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
    expect(trace).toMatchObject({ stop: 'answer', answer: 'two', reward: 0.5, valid: true });
  });

  it('turnLimit: a failed attempt in a world that can be judged, no attempt elsewhere', async () => {
    const { benchmark, calls } = lampWorld();
    const [judged] = await rollout(LAMP, saying(tag('1')).sampler, { benchmark, maxTurns: 3 });
    expect(judged).toMatchObject({ stop: 'turnLimit', valid: true, reward: 0, success: false });
    expect(judged!.turns).toHaveLength(3);
    expect(calls).toHaveLength(3);
    const session = (): Session => ({ call: () => ({ content: 'ok' }) });
    const [unjudged] = await rollout(CAPITAL, saying(tag('1')).sampler, { benchmark: { session }, maxTurns: 2 });
    expect(unjudged).toMatchObject({ stop: 'turnLimit', valid: false });
  });

  it('truncated: cut off inside a turn', async () => {
    const [trace] = await rollout(CAPITAL, saying(sample('Par', { stop: 'length' })).sampler);
    expect(trace).toMatchObject({ stop: 'truncated', valid: false, reward: 0, answer: null });
    expect(trace!.turns[0]!.tokens).toHaveLength(3);
  });

  it('tokenBudget: what is left of it limits each turn, and none left ends the rollout', async () => {
    const { benchmark } = lampWorld();
    const length = tag('1').length;
    const { sampler, requests } = saying(tag('1'));
    const [between] = await rollout(LAMP, sampler, { benchmark, maxTokens: 1000, tokenBudget: 2 * length });
    expect(between).toMatchObject({ stop: 'tokenBudget', valid: false });
    expect(requests.map((r) => r.maxTokens)).toEqual([2 * length, length]);

    const [inside] = await rollout(CAPITAL, saying(sample('Par', { stop: 'length' })).sampler, { tokenBudget: 3 });
    expect(inside).toMatchObject({ stop: 'tokenBudget', valid: false });
    const [justInTime] = await rollout(CAPITAL, saying('Paris').sampler, { tokenBudget: 5 });
    expect(justInTime).toMatchObject({ stop: 'answer', reward: 1 });
  });

  it('error: an engine that refuses, at the first turn for all, at a later one for one', async () => {
    const refuse: Sampler = { version: 'v', sample: () => Promise.reject(new Error('503 overloaded')) };
    const all = await rollout(CAPITAL, refuse, { count: 2 });
    expect(all).toMatchObject([
      { index: 0, stop: 'error', error: '503 overloaded', valid: false, turns: [], messages: [] },
      { index: 1, stop: 'error', error: '503 overloaded', valid: false },
    ]);

    const { benchmark } = lampWorld();
    const { sampler } = saying(tag('2'), 'Done.');
    let asked = 0;
    const flaky: Sampler = {
      version: 'v',
      sample: (request) => (++asked === 3 ? Promise.reject('connection lost') : sampler.sample(request)),
    };
    const traces = await rollout(LAMP, flaky, { benchmark, count: 3 });
    expect(traces.map((t) => t.stop)).toEqual(['answer', 'error', 'answer']);
    expect(traces[1]).toMatchObject({ error: 'connection lost', valid: false });
    expect(traces[1]!.turns).toHaveLength(1);
  });

  it('error: fewer samples than were asked for', async () => {
    const one: Sampler = {
      version: 'v',
      sample: async () => ({ prompt: new Int32Array(), samples: [sample('Paris')] }),
    };
    const traces = await rollout(CAPITAL, one, { count: 2 });
    expect(traces[0]).toMatchObject({ stop: 'answer', reward: 1 });
    expect(traces[1]).toMatchObject({
      stop: 'error',
      valid: false,
      error: 'the engine returned fewer samples than were asked for',
    });
  });

  it.each([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY, undefined, 'yes'])(
    'error: a judge that says %s instead of a reward',
    async (verdict) => {
      const { benchmark } = lampWorld(() => verdict as number);
      const [trace] = await rollout(LAMP, saying('Done.').sampler, { benchmark });
      expect(trace).toMatchObject({
        stop: 'error',
        valid: false,
        reward: 0,
        error: `the checker returned ${verdict}, not a reward in [0, 1]`,
      });
    },
  );

  it('error: a judge, a tool or a whole world that breaks', async () => {
    const broken = (message: string) => () => {
      throw new Error(message);
    };
    const judge = lampWorld(broken('judge'));
    expect(await rollout(LAMP, saying('Done.').sampler, judge)).toMatchObject([{ stop: 'error', error: 'judge' }]);
    const call = { session: (): Session => ({ call: broken('tool') }) };
    const [tool] = await rollout(LAMP, saying(tag('1')).sampler, { benchmark: call });
    expect(tool).toMatchObject({ stop: 'error', error: 'tool', valid: false });
    expect(tool!.turns).toHaveLength(1);
    const world = { session: broken('no such room') };
    const two = await rollout(LAMP, saying('Done.').sampler, { benchmark: world, count: 2 });
    expect(two.map((t) => [t.stop, t.error])).toEqual([
      ['error', 'no such room'],
      ['error', 'no such room'],
    ]);
  });

  it('error: an eval that cannot be judged here', async () => {
    const [script] = await rollout(task({ kind: 'script', source: 'exit' }), saying('x').sampler);
    expect(script).toMatchObject({ stop: 'error', valid: false, error: expect.stringContaining('sandbox') });
    const [world] = await rollout(LAMP, saying('x').sampler);
    expect(world).toMatchObject({ stop: 'error', valid: false, error: expect.stringContaining('lamp') });
  });
});

describe('an engine that cannot go on', () => {
  it('ends the rollouts instead of spoiling them: no task is to blame', async () => {
    const sampler: Sampler = {
      version: 'agent-7',
      sample: () => Promise.reject(new EngineStopped('the key has expired')),
    };
    await expect(rollout(CAPITAL, sampler)).rejects.toThrow('the key has expired');
  });
});

describe('cancelling', () => {
  it('rejects with the reason instead of recording a failure', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stopped'));
    await expect(rollout(CAPITAL, saying('Paris').sampler, { signal: controller.signal })).rejects.toThrow('stopped');
  });

  it('leaves nothing running: rollouts of the same task are waited for', async () => {
    const controller = new AbortController();
    let finish = () => {};
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let running = 0;
    let opened = 0;
    const session = (): Session => {
      const isSlow = opened++ === 1;
      return {
        async call() {
          running++;
          if (isSlow) await slow;
          running--;
          return { content: 'ok' };
        },
      };
    };
    const { sampler } = saying(tag('1'));
    const stopping: Sampler = {
      version: 'v',
      sample(request) {
        if (request.messages.length > 1) controller.abort(new Error('stopped'));
        return sampler.sample(request);
      },
    };
    let settled = false;
    const result = rollout(CAPITAL, stopping, { benchmark: { session }, count: 2, signal: controller.signal });
    const outcome = result
      .catch((error: Error) => error.message)
      .finally(() => {
        settled = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([settled, running]).toEqual([false, 1]);
    finish();
    expect(await outcome).toBe('stopped');
    expect(running).toBe(0);
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
