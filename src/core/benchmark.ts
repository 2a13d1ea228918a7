/** A benchmark as the loop needs it: tasks to start from, and what only this domain knows about tasks and their worlds. */
import type { Brief } from './players.ts';
import type { Json, Message, Task, ToolCall } from './types.ts';

/** One rollout's private copy of an interactive world. */
export interface Session {
  /** Executes a call and says what the agent sees next. A call the world refuses is an observation too, not an exception. */
  call(call: ToolCall): Promise<Observation> | Observation;
  /** R_agent for `world` evals: how the world stands when the rollout ends. */
  judge?(answer: Json): number;
}

export interface Observation {
  content: string;
  /** The world says that the episode is over. */
  done?: boolean;
}

/** A task before it has an identity and a lineage. */
export type TaskDraft = Pick<Task, 'prompt' | 'tools' | 'eval'> & { features?: Record<string, number> };

export interface Benchmark {
  readonly name: string;
  base(): Promise<Task[]>;
  validation(): Promise<Task[]>;
  /** What the environment is shown for a brief; a general prompt is used where a benchmark has none of its own. */
  context?(brief: Brief): Message[];
  /** Reads what the environment wrote; JSON against the task schema where a benchmark has no language of its own. */
  read?(text: string, seed: Task): TaskDraft | { problem: string };
  /** What is wrong with a well-formed task in this domain; undefined when nothing is. */
  problemWith?(task: TaskDraft, seed: Task): string | undefined;
  features?(task: TaskDraft): Record<string, number>;
  /** A world to act in, for tasks that have one. Without it the first answer is the last. */
  session?(task: Task): Session | undefined;
}
