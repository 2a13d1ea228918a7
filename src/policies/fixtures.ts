/** A lamp to light, and models that say what they are told to. Nothing here is part of the package. */
import type { Observation, Session } from '../core/benchmark.ts';
import type { Sample, SampleRequest, Sampler } from '../core/engine.ts';
import { createRng } from '../core/rng.ts';
import type { EvalSpec, Task, ToolCall, Trace } from '../core/types.ts';
import { type RolloutContext, rolloutTask } from './rollout.ts';

export const task = (spec: EvalSpec): Task => ({
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

export const press = (button: string): ToolCall => ({ name: 'press', args: { button } });
export const PRESS_ONE: Task = task({ kind: 'toolCalls', target: [press('1')] });
export const CAPITAL: Task = task({ kind: 'text', target: 'Paris', metric: 'exact' });
export const LAMP: Task = task({ kind: 'world', world: 'lamp', goal: 'on' });

export const sample = (text: string, changes: Partial<Sample> = {}): Sample => ({
  text,
  tokens: Int32Array.from(text, (c) => c.charCodeAt(0)),
  logprobs: Float32Array.from(text, () => -0.5),
  stop: 'stop',
  ...changes,
});

/** A model that says these lines, one a turn, and remembers what it was asked. Its prompt is what it was shown, as ids. */
export function saying(...lines: (string | Sample)[]): { sampler: Sampler; requests: SampleRequest[] } {
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

export const rollout = (
  what: Task,
  sampler: Sampler,
  changes: Partial<RolloutContext> & { count?: number } = {},
): Promise<Trace[]> => {
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
export function lampWorld(judge?: Session['judge']): { benchmark: { session: () => Session }; calls: ToolCall[] } {
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

export const tag = (button: string): string =>
  `<tool_call>${JSON.stringify({ name: 'press', arguments: { button } })}</tool_call>`;
