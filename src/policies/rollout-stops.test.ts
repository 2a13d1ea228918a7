import { describe, expect, it } from 'vitest';
import type { Session } from '../core/benchmark.ts';
import { EngineStopped, type Sampler } from '../core/engine.ts';
import { CAPITAL, LAMP, lampWorld, PRESS_ONE, rollout, sample, saying, tag, task } from './fixtures.ts';

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
