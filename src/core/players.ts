/** The two players as Algorithm 1 sees them. `src/policies` implements both over any engine. */
import type { LineageStats, Writes } from './journal.ts';
import type { Rng } from './rng.ts';
import type { WeightedRecord } from './rwr.ts';
import type { Checkpoint, Experience, Generation, Group, Message, Role, Task } from './types.ts';

/** What an update did: metrics, notes, and the checkpoint that the next cursor will point at. */
export type Update = Pick<Writes, 'metrics' | 'notes' | 'checkpoints'>;

interface Persistent {
  /** Saves the weights as they are after this epoch. */
  checkpoint(epoch: number): Promise<Checkpoint>;
  restore(checkpoint: Checkpoint): Promise<void>;
  discard(checkpoint: Checkpoint): Promise<void>;
}

export interface Attempt {
  task: Task;
  role: Role;
}

export interface RolloutOptions {
  epoch: number;
  /** Rollouts per task. */
  count: number;
  temperature: number;
  rng: Rng;
  signal: AbortSignal;
}

export interface AgentPlayer extends Persistent {
  /** One group per attempt, in the order of the attempts. A failed rollout is a trace with a reason, never an exception. */
  rollout(attempts: readonly Attempt[], options: RolloutOptions): Promise<Group[]>;
  /** GRPO, one optimizer step per batch of groups. */
  update(batches: Iterable<readonly (readonly Experience[])[]>, options: UpdateOptions): Promise<Update>;
}

export interface UpdateOptions {
  epoch: number;
  rng: Rng;
  signal: AbortSignal;
}

/** What the environment is asked for: variations of a seed, given how the agent has been doing. */
export interface Brief {
  /** Position among the epoch's seeds: part of each generation's id and random stream. */
  slot: number;
  seed: Task;
  count: number;
  /** Success of the seed's lineage in recent epochs, oldest first. */
  lineage: LineageStats[];
  /** Success on everything generated in the last epoch; undefined in the first. */
  overall: number | undefined;
  /** The success rate to aim at, and how far off is still fine. */
  target: { alpha: number; kMin: number };
}

export interface WriteOptions extends UpdateOptions {
  author: Generation['author'];
  /** Share of the variations that the untrained simulator writes. */
  explorationShare: number;
}

export interface EnvironmentPlayer extends Persistent {
  /** `count` generations per brief, in order, accepted or rejected with a reason. */
  write(briefs: readonly Brief[], options: WriteOptions): Promise<Generation[]>;
  /**
   * Weighted regression on its own generations under the KL cap. The batches can be read again, because a step over the
   * cap is undone and tried at half its size; the probes are contexts on which the KL is measured.
   */
  update(
    batches: () => AsyncIterable<readonly WeightedRecord[]>,
    probes: Message[][],
    options: UpdateOptions,
  ): Promise<Update>;
  /** What the policy is shown for a brief; hindsight rewrites the target in it. */
  context(brief: Brief): Message[];
  encode(context: readonly Message[]): Promise<Int32Array>;
}
