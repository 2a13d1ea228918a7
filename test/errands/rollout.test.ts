import { describe, expect, it } from 'vitest';
import { errandsBenchmark } from '../../src/benchmarks/errands/index.ts';
import { sessionOf } from '../../src/benchmarks/errands/session.ts';
import { writeCalls } from '../../src/benchmarks/errands/shorthand.ts';
import type { SampleRequest, Sampler } from '../../src/core/engine.ts';
import { createRng } from '../../src/core/rng.ts';
import { rootTask } from '../../src/core/root-task.ts';
import type { Message, Task, ToolCall } from '../../src/core/types.ts';
import { rolloutTask } from '../../src/policies/rollout.ts';
import { secondInterpretation } from './second-interpreter.ts';

const errands = errandsBenchmark();
const { readCalls } = errands.school!;
const [seed] = await errands.base();
const heldOut = [...(await errands.validation()), ...(await errands.test!())];
const asking = heldOut.filter((task) => task.features.asks === 1);

function taskOf(text: string): Task {
  const draft = errands.read!(text, seed!);
  if ('problem' in draft) throw new Error(draft.problem);
  return rootTask(draft, 'generated', errands);
}

/** A model whose next turn is a function of the conversation so far. */
function model(turn: (messages: readonly Message[]) => string) {
  const requests: SampleRequest[] = [];
  const sampler: Sampler = {
    version: 'expert',
    async sample(request) {
      requests.push(request);
      const text = turn(request.messages);
      const tokens = Int32Array.from(text, (char) => char.charCodeAt(0));
      const sample = { text, tokens, logprobs: new Float32Array(tokens.length), stop: 'stop' as const };
      return { prompt: new Int32Array(), samples: Array.from({ length: request.n }, () => sample) };
    },
  };
  return { sampler, requests };
}

const limits = { maxTokens: 4000, maxTurns: 20, tokenBudget: 40_000, successThreshold: 'auto' as const };

async function play(task: Task, turn: (messages: readonly Message[]) => string, shorthand: boolean) {
  const { sampler, requests } = model(turn);
  const context = { ...limits, sampler, benchmark: errands, temperature: 1, signal: new AbortController().signal };
  const [trace] = await rolloutTask(task, 1, createRng(1), shorthand ? { ...context, readCalls } : context);
  return { trace: trace!, requests };
}

/**
 * An expert that knows of the world only what it was told: it asks, looks at the answers, and thinks again. What it does
 * not know yet it leaves for the next turn.
 */
function nextCalls(messages: readonly Message[], perTurn = Number.POSITIVE_INFINITY): ToolCall[] {
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const door = told.includes('shut') ? 'shut' : 'open';
  const found = told.find((answer) => !['ok', 'open', 'shut'].includes(answer)) ?? 'unknown';
  const left = secondInterpretation(messages[0]!.content, { door, found }).slice(told.length);
  const question = left.findIndex(({ name }) => name === 'find' || name === 'check');
  return left.slice(0, Math.min(perTurn, question < 0 ? left.length : question + 1));
}

const tag = ({ name, args }: ToolCall) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

describe('a perfect agent', () => {
  it('solves every held-out task in shorthand, learning in several turns what it has to find out', async () => {
    for (const task of heldOut) {
      const { trace, requests } = await play(task, (messages) => writeCalls(nextCalls(messages)), true);
      expect(trace, task.prompt[0]!.content).toMatchObject({ stop: 'answer', reward: 1, success: true, valid: true });
      expect(requests.every(({ tools }) => tools!.length === 0)).toBe(true);
      if (task.features.asks === 0) expect(trace.turns).toHaveLength(1);
    }
    expect(asking.length).toBeGreaterThan(100);
  });

  it('solves them as a general model does: told the tools, calling them in JSON, a call a turn where it can', async () => {
    for (const task of heldOut) {
      const perTurn = task.features.asks === 1 ? 1 : undefined;
      const { trace, requests } = await play(
        task,
        (messages) => nextCalls(messages, perTurn).map(tag).join('\n'),
        false,
      );
      expect(trace, task.prompt[0]!.content).toMatchObject({ stop: 'answer', reward: 1, success: true });
      expect(requests[0]!.tools).toHaveLength(12);
      if (perTurn && task.eval.kind === 'toolCalls') expect(trace.turns).toHaveLength(task.eval.target.length);
    }
  });
});

describe('a request with a question', () => {
  const task = taskOf('find a hotel in Lima, then cook soup, then book it for two');
  const found = task.eval.kind === 'toolCalls' && task.eval.target.at(-1)!.args.place;
  const find = { name: 'find', args: { kind: 'hotel', city: 'Lima' } };
  const soup = { name: 'cook', args: { dish: 'soup' } };
  const turns =
    (...said: string[]) =>
    (messages: readonly Message[]) =>
      said[messages.filter(({ role }) => role === 'assistant').length] ?? 'I am done.';

  it('is a conversation that ends with the last call', async () => {
    const { trace } = await play(task, turns('find hotel Lima', `cook soup ; book ${found} two`), true);
    expect(trace.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'assistant: find hotel Lima',
      `tool: ${found}`,
      `assistant: cook soup ; book ${found} two`,
      'tool: ok',
      'tool: ok',
    ]);
    expect(trace).toMatchObject({ stop: 'answer', reward: 1 });
  });

  it.each([
    ['a guess', ['find hotel Lima ; cook soup ; book hotel two']],
    ['another order', ['cook soup', 'find hotel Lima', `book ${found} two`]],
    ['a call too many', ['find hotel Lima', `cook soup ; book ${found} two ; check`]],
    ['a call too few and then words', ['find hotel Lima', 'I am done.']],
  ])('is not solved by %s', async (_, said) => {
    const { trace } = await play(task, turns(...said), true);
    expect(trace).toMatchObject({ valid: true, reward: 0, success: false });
  });

  it('refuses calls it has no tool for, and goes on', async () => {
    const session = sessionOf(task)!;
    expect(await session.call({ name: 'fly', args: {} })).toEqual({ content: 'no', done: false });
    expect(await session.call({ name: 'cook', args: { toString: 'soup' } })).toEqual({ content: 'no', done: false });
    expect(session.judge!([find, soup])).toBe(0);
    expect(sessionOf(taskOf('cook soup'))).toBeUndefined();
  });

  it('gives each rollout a world of its own that answers all alike', async () => {
    const [one, other] = [sessionOf(task)!, sessionOf(task)!];
    expect(await one.call(find)).toEqual({ content: found, done: false });
    await one.call(soup);
    expect(await one.call(soup)).toEqual({ content: 'ok', done: true });
    expect(await other.call(find)).toEqual({ content: found, done: false });
  });

  it('fails whoever runs out of turns', async () => {
    const { sampler } = model(() => 'check');
    const signal = new AbortController().signal;
    const context = {
      ...limits,
      maxTurns: 2,
      sampler,
      benchmark: errands,
      readCalls: readCalls!,
      temperature: 1,
      signal,
    };
    const [trace] = await rolloutTask(task, 1, createRng(1), context);
    expect(trace).toMatchObject({ stop: 'turnLimit', valid: true, reward: 0 });
  });
});
