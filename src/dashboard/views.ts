/** Tasks, generations and rollouts as the page shows them: plain arrays, and none of the ids of a prompt. */
import type { Generation, Message, Task, Trace } from '../core/types.ts';
import type { GenerationView, TaskView, TraceView } from './api.ts';

export const taskView = (task: Task): TaskView => ({ ...task, prompt: task.prompt.map(messageView) });

export const messageView = ({ tokens: _, ...message }: Message): Message => message;

/** Four digits are more than a colour can show. */
const logprobs = (values: Float32Array) => Array.from(values, (value) => Number(value.toFixed(4)));

export const generationView = ({ task, turn, context, ...generation }: Generation): GenerationView => ({
  ...generation,
  context: context.map(messageView),
  taskId: task?.id ?? null,
  tokens: [...turn.tokens],
  logprobs: logprobs(turn.logprobs),
});

export const traceView = ({ messages, turns, error, ...trace }: Trace): TraceView => ({
  ...trace,
  error: error ?? null,
  messages: messages.map(messageView),
  turns: turns.map((turn) => ({
    promptTokens: turn.prompt.length,
    tokens: [...turn.tokens],
    logprobs: logprobs(turn.logprobs),
  })),
});
