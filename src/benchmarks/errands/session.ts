/** Requests with a question in them take several turns: what is found out decides about what is done next. */
import { agentReward } from '../../core/agent-reward.ts';
import type { ToolWorld } from '../../core/benchmark.ts';
import type { Task } from '../../core/types.ts';
import { features } from './tasks.ts';
import { observe, worldOf } from './world.ts';

export function sessionOf(task: Task): ToolWorld | undefined {
  const { prompt, eval: spec } = task;
  if (spec.kind !== 'toolCalls' || !features(task).asks) return undefined;
  const world = worldOf(prompt.at(-1)!.content);
  let left = spec.target.length;
  return {
    call: (call) => ({ content: observe(call, world), done: --left <= 0 }),
    // Whoever runs out of turns has not done it either.
    judge: (answer) => agentReward(answer, spec),
  };
}
