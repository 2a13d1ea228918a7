/**
 * The loop's memory, as a port. Algorithm 1 keeps nothing between steps but what it commits here, so a killed run has
 * lost nothing but the step it was in. `src/store` implements it over SQLite; all calls are synchronous.
 */
import type {
  Checkpoint,
  Experience,
  Generation,
  Group,
  Json,
  Origin,
  Outcome,
  Player,
  RejectReason,
  Role,
  Score,
  Task,
  Turn,
} from './types.ts';

export const PHASES = [
  'prepare',
  'generate',
  'rollout',
  'score',
  'updateAgent',
  'updateEnv',
  'evaluate',
  'aggregate',
] as const;
export type Phase = (typeof PHASES)[number];

/** A committed place: phase `phase` of `epoch` has finished the first `done` of its `units` items. */
export interface Cursor {
  epoch: number;
  phase: Phase;
  done: number;
  units: number;
}

export interface MetricPoint {
  /** A path such as `env/successRate`; `time/…` is wall time and stays out of digests. */
  key: string;
  epoch: number;
  /** Optimizer step inside the epoch, or 0 for a number about the whole epoch. */
  step: number;
  value: number;
}

/** Something a person should be able to look up later: a KL back-off, a refused update, a resume. */
export interface Note {
  kind: string;
  epoch: number;
  detail: string;
}

/** Membership in a pool. A member that enters again keeps its place and takes the new weight and epoch. */
export interface PoolEntry {
  pool: Player;
  /** A task id in the agent pool, a generation id in the environment pool. */
  memberId: string;
  epoch: number;
  /** The agent's success rate on the task, or what the generation weighed in the simulator's update. */
  weight: number;
}

/** A task retired or refused after it was accepted, and why. */
export interface Quarantine {
  taskId: string;
  epoch: number;
  reason: string;
}

/** Everything one step wrote. It lands with the cursor in one transaction, or not at all. */
export interface Writes {
  /** Base and held-out tasks; those of accepted generations come with them. */
  tasks?: readonly Task[];
  generations?: readonly Generation[];
  groups?: readonly Group[];
  scores?: readonly Score[];
  pool?: readonly PoolEntry[];
  quarantine?: readonly Quarantine[];
  metrics?: readonly MetricPoint[];
  notes?: readonly Note[];
  checkpoints?: readonly Checkpoint[];
  /** Facts about the run as a whole, by key. */
  meta?: Readonly<Record<string, Json>> | undefined;
}

/** What a run has spent so far. Success without the simulator's own output in the bill is not a claim we make. */
export interface Ledger {
  tasks: number;
  rollouts: number;
  invalidRollouts: number;
  agentTokens: number;
  environmentTokens: number;
  generations: number;
  rejectedGenerations: number;
  /** On held-out tasks, of both splits. */
  validationRollouts: number;
}

export const NOTHING_SPENT: Readonly<Ledger> = {
  tasks: 0,
  rollouts: 0,
  invalidRollouts: 0,
  agentTokens: 0,
  environmentTokens: 0,
  generations: 0,
  rejectedGenerations: 0,
  validationRollouts: 0,
};

export interface TaskHead {
  id: string;
  rootId: string;
  origin: Origin;
  epoch: number;
  structure: string;
}

/** Success of one lineage (all variations under a base task), newest epoch last: what the environment is told. */
export interface LineageStats {
  epoch: number;
  successes: number;
  attempts: number;
}

export interface Journal {
  cursor(): Cursor | undefined;
  commit(at: Cursor, writes: Writes): void;

  task(id: string): Task | undefined;
  /** Tasks of these origins born before `before`, in order of birth. Streams. */
  heads(origins: readonly Origin[], before: number): Iterable<TaskHead>;
  /** Accepted tasks written in this epoch, in the order of writing, each once. Streams. */
  written(epoch: number): Iterable<TaskHead>;
  /** Success by epoch of the lineage of a root, over fresh tasks in epochs [from, before). */
  lineage(rootId: string, from: number, before: number): LineageStats[];

  /** Outcomes of an epoch in order of commit; all roles but the held-out ones unless `role` is given. Streams. */
  outcomes(epoch: number, role?: Role): Iterable<Outcome>;
  /** What the agent can learn from its attempts at a task in an epoch: rewards, ids and log-probs, none of the words. */
  experience(epoch: number, taskId: string): Experience[] | undefined;

  /** Generations of an epoch in the order of writing, without text and tokens. Streams. */
  generationHeads(epoch: number): Iterable<GenerationHead>;
  generation(id: string): Generation | undefined;
  /** The ids and log-probs of a generation alone. */
  turn(generationId: string): Turn | undefined;
  /** Scores of an epoch in the order of writing. Streams. */
  scores(epoch: number): Iterable<Score>;

  /** A pool's members in the order they entered, quarantined ones left out. Streams. */
  pool(player: Player): Iterable<PoolEntry>;

  checkpoint(player: Player): Checkpoint | undefined;
  ledger(): Ledger;
  /** The last value of a whole-epoch metric at or before an epoch. */
  metric(key: string, epoch: number): number | undefined;
  /** All whole-epoch metrics (step 0) of one epoch. */
  metrics(epoch: number): Record<string, number>;
}

export interface GenerationHead {
  id: string;
  seedId: string;
  rootId: string;
  taskId: string | null;
  /** Why it was rejected; null when it was accepted. */
  rejected: RejectReason | null;
}
