/** The nouns of the paper as plain, serialisable data: tasks, traces, and what the environment wrote. No behaviour here. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type Player = 'agent' | 'environment';

export interface ToolCall {
  name: string;
  args: JsonObject;
}

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: JsonObject;
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: ToolCall[];
  /** The ids this text was sampled as. Engines splice them into the prompt, so that nothing sampled is re-tokenised. */
  tokens?: Int32Array;
}

/** How an answer is judged (Eq. 1). Checkers are data: `script` and `world` are declared here and executed elsewhere. */
export type EvalSpec =
  | { kind: 'toolCalls'; target: ToolCall[]; order?: 'exact' | 'any' }
  | { kind: 'json'; target: Json }
  | { kind: 'text'; target: string; metric: TextMetric }
  | { kind: 'script'; source: string }
  | { kind: 'world'; world: string; goal: Json };

export type TextMetric = 'exact' | 'f1' | 'rougeL';

/** Where a task came from: the base data, one of the held-out splits, the simulator, or a teacher that wrote once. */
export type Origin = 'base' | 'validation' | 'test' | 'generated' | 'teacher';

export interface Task {
  /** Content hash of prompt, tools and eval: the same task written twice is one task. */
  id: string;
  /** The task this one is a variation of; null for base and held-out tasks. */
  seedId: string | null;
  /** The base task at the head of the lineage; a base task is its own root. */
  rootId: string;
  origin: Origin;
  /** The epoch it was first written in (0 = before training). */
  epoch: number;
  prompt: Message[];
  tools: ToolSpec[];
  eval: EvalSpec;
  /** Measurable difficulty, for reports only: no update reads it. */
  features: Record<string, number>;
  /** The task's shape, not its values: words for quotas to count, or one hash. Diversity is counted over these. */
  structure: string;
}

/** What the policy wrote in one turn, as ids and log-probabilities, with the exact prompt it saw. */
export interface Turn {
  prompt: Int32Array;
  tokens: Int32Array;
  logprobs: Float32Array;
}

/**
 * Why a rollout ended. `answer` and `malformed` are evaluable; the others are data with a reason, counted in the ledger
 * and left out of p̂ and of both updates.
 */
export type StopReason = 'answer' | 'malformed' | 'turnLimit' | 'tokenBudget' | 'truncated' | 'error';

/** One of the things a judge looked at to come to a reward. */
export interface RewardTerm {
  name: string;
  /** In [0, 1]; null where it does not apply to this task. */
  score: number | null;
  /** Why, in the judge's words. */
  detail?: string;
}

/** One rollout, e = (task, trajectory, a', r). */
export interface Trace {
  /** Position in its group, 0 … G−1. */
  index: number;
  /** The version of the agent that acted. */
  policy: string;
  /** What followed the task's prompt: the agent's turns and the observations. */
  messages: Message[];
  turns: Turn[];
  /** a′, the final action or answer; null when there is none. */
  answer: Json;
  /** R_agent ∈ [0, 1] (Eq. 1); 0 when not evaluable. */
  reward: number;
  /** What the reward of a world is made of, where its judge says so. */
  terms?: RewardTerm[];
  success: boolean;
  /** Evaluable: Valid(E_t) of Algorithm 1. */
  valid: boolean;
  stop: StopReason;
  error?: string;
}

/** A trace as an update sees it. */
export type Experience = Pick<Trace, 'reward' | 'valid' | 'turns'>;

/** Why a task is attempted: freshly generated, base data, re-rolled from the pool, from a fixed set, or held out. */
export type Role = 'fresh' | 'base' | 'replay' | 'fixed' | 'validation' | 'test';

/** The G rollouts of one task in one epoch: the unit of GRPO's centring. */
export interface Group {
  epoch: number;
  role: Role;
  task: Task;
  traces: Trace[];
}

/** A group without its text: what success rates and reports are computed from. */
export interface Outcome {
  taskId: string;
  seedId: string | null;
  rootId: string;
  role: Role;
  structure: string;
  /** Successes k and attempts n among the valid traces (Eq. 2). */
  successes: number;
  attempts: number;
  /** Traces that were not evaluable. */
  invalid: number;
  meanReward: number;
  /** Whether rewards differ inside the group: only then does GRPO learn from it. */
  varied: boolean;
  /** Mean tokens written per rollout. */
  responseTokens: number;
  /** Tokens of the task's prompt as the agent saw it. */
  promptTokens: number;
}

export type RejectReason =
  | 'empty'
  | 'tooLong'
  | 'truncated'
  | 'controlCharacters'
  | 'notJson'
  | 'schema'
  | 'unsupportedChecker'
  | 'copy'
  | 'duplicate'
  | 'benchmark'
  | 'banned'
  | 'error';

export type Verdict =
  | { kind: 'accepted'; repaired?: string }
  | { kind: 'rejected'; reason: RejectReason; detail: string };

/** One thing the environment wrote: (context → generated task), accepted or not. */
export interface Generation {
  /** `<epoch>.<seed slot>.<variation>`: unique in a run and in the order of writing. */
  id: string;
  epoch: number;
  seedId: string;
  /** Who wrote it; `initial` is the exploration floor, the simulator as it was before training. */
  author: 'environment' | 'initial' | 'teacher';
  /** What the author saw. */
  context: Message[];
  text: string;
  turn: Turn;
  verdict: Verdict;
  task: Task | null;
}

/** What the curriculum says about one generation: Eq. 2, Eq. 3, the filter and the weight of the update. */
export interface Score {
  generationId: string;
  taskId: string | null;
  successRate: number;
  envReward: number;
  kept: boolean;
  /** RWR weight or advantage, by the update in use; 0 when filtered out. */
  weight: number;
}

export interface Checkpoint {
  player: Player;
  /** A name under the run's checkpoints folder, or a server's own reference. */
  ref: string;
  sha256: string;
}
