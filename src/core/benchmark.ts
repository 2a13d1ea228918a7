/** A benchmark as the loop needs it: tasks to start from, and what only this domain knows about tasks and their worlds. */
import type { Brief } from './players.ts';
import type { Rng } from './rng.ts';
import type { Json, Message, Player, RewardTerm, Task, ToolCall } from './types.ts';

/** One rollout's private copy of an interactive world. */
export type Session = ToolWorld | TextWorld;

export interface ToolWorld {
  /** Executes a call and says what the agent sees next. A call the world refuses is an observation too, not an exception. */
  call(call: ToolCall): Promise<Observation> | Observation;
  /** R_agent for `world` evals: how the world stands when the rollout ends. */
  judge?(answer: Json): number;
  /** What that is made of, for people to look at: asked after `judge`, with the same answer. */
  terms?(answer: Json): RewardTerm[];
}

/** A world that reads replies itself. One that is done at the first reply is a scorer with rules of its own. */
export interface TextWorld {
  say(reply: string): Promise<Observation> | Observation;
  /** R_agent: how the world stands when the rollout ends. `answer` is the last reply. */
  judge(answer: Json): number;
  /** What that is made of, for people to look at: asked after `judge`, with the same answer. */
  terms?(answer: Json): RewardTerm[];
}

export interface Observation {
  content: string;
  /** The world says that the episode is over. */
  done?: boolean;
}

/** A task before it has an identity and a lineage. */
export type TaskDraft = Pick<Task, 'prompt' | 'tools' | 'eval'> & { features?: Record<string, number> };

/** A prompt and the reply to it that a beginner is shown. */
export interface Demonstration {
  messages: Message[];
  text: string;
}

/** What a model that knows nothing needs: the words there are, and what replies look like. */
export interface School {
  corpus(): Iterable<string>;
  /** `progress` is the share of its lessons that the player has had: what is shown may change on the way. */
  demonstrations(player: Player, count: number, rng: Rng, progress: number): Demonstration[];
  /** Optimizer steps after which a small model is a beginner worth training. */
  readonly steps: Record<Player, number>;
  /** An expert's answer to what the simulator is asked, for the variant whose tasks a teacher writes. */
  teacher?(context: readonly Message[], rng: Rng): string;
  /** The shorthand for calls that the demonstrations use; such an agent is not shown the tools. Undefined for no calls. */
  readCalls?(text: string): ToolCall[] | undefined;
}

export interface Benchmark {
  readonly name: string;
  base(): Promise<Task[]>;
  validation(): Promise<Task[]>;
  /** Tasks to judge the finished agent on, none of them among the others; nothing is ever chosen by them. */
  test?(): Promise<Task[]>;
  /** The difficulty stratum of a task, for reports. Names sort from easy to hard, numbers in them as numbers. */
  stratum?(task: Task): string;
  /** What the environment is shown for a brief; a general prompt is used where a benchmark has none of its own. */
  context?(brief: Brief): Message[];
  /** Reads what the environment wrote; JSON against the task schema where a benchmark has no language of its own. */
  read?(text: string, seed: Task): TaskDraft | { problem: string };
  /** What is wrong with a well-formed task in this domain; undefined when nothing is. */
  problemWith?(task: TaskDraft, seed: Task): string | undefined;
  features?(task: TaskDraft): Record<string, number>;
  /** The shape of a task, values rubbed out, where the general rule cannot tell shape from value: words that are facets. */
  structure?(task: TaskDraft): string;
  /** A world to act in, for tasks that have one. Without it the first answer is the last. */
  session?(task: Task): Session | undefined;
  /** For engines whose models start from nothing. */
  readonly school?: School;
}
