/** What the server sends and the page shows: the types both agree on. Nothing here runs. */
import type { ControlAction, ControlState, Settings, Tunable } from '../control.ts';
import type { Cursor, Ledger, PoolEntry, Quarantine } from '../core/journal.ts';
import type { SteppedBand } from '../core/stepped-band.ts';
import type {
  Generation,
  Json,
  Message,
  Outcome,
  RewardTerm,
  Role,
  Score,
  StopReason,
  Task,
  Verdict,
} from '../core/types.ts';
import type { Vote } from '../core/votes.ts';
import type {
  BatchRow,
  EpochFacts,
  MetricSummary,
  PoolGrowth,
  RejectionRow,
  Relatives,
  StructureRow,
  TaskListRow,
  VariationRow,
} from '../store/index.ts';

export type Status = 'finished' | 'stopped' | 'running';

export interface Ends {
  first: number | null;
  last: number | null;
}

/** A run in one row. */
export interface RunRow {
  id: string;
  status: Status;
  at: Cursor | null;
  epochs: { done: number; of: number };
  variant: string;
  engine: string;
  benchmark: string;
  preset: string;
  seed: number;
  generatedSuccess: Ends;
  validation: Ends;
  ledger: Ledger;
  createdAt: string | null;
  /** When its file was last written, in ms since 1970. */
  writtenAt: number | null;
}

/** A folder that looks like a run and can't be read. */
export interface UnreadableRun {
  id: string;
  status: 'unreadable';
  reason: string;
}

export interface RunList {
  version: string;
  runsDir: string;
  runs: (RunRow | UnreadableRun)[];
}

export interface RunHead extends RunRow {
  /** As configured, with a step where somebody changed α. */
  band: SteppedBand;
  /** Told to wait, or to end after this phase. */
  hold: 'paused' | 'stopping' | null;
  /** The cap on the simulator's KL. */
  maxKl: number;
  /** Settings that differ from the preset. */
  changed: { setting: string; value: Json }[];
  /** What somebody changed while the run went on, oldest first. */
  steered: { who: string; what: string; from: string }[];
  /** Wall time of all processes that played it. */
  seconds: number | null;
  version: string | null;
  git: { commit: string; clean: boolean } | null;
  pools: { agent: number; environment: number };
}

/** One epoch as the charts need it. */
export interface EpochRow {
  epoch: number;
  /** Whole-epoch metrics, once they are written. */
  metrics: Record<string, number>;
  /** Counted from its tasks; null until somebody has counted. */
  facts: EpochFacts | null;
}

export interface NoteRow {
  row: number;
  kind: string;
  epoch: number;
  detail: string;
  timeMs: number;
}

export interface Overview {
  head: RunHead;
  epochs: EpochRow[];
  /** Every how manieth epoch is sent: 1 unless the run is very long. */
  stride: number;
  notes: NoteRow[];
}

/** What a live run says between two looks at it. */
export interface LiveUpdate {
  head: RunHead;
  epochs: EpochRow[];
  notes: NoteRow[];
}

/** A series averaged down to what a screen can show; where a bin holds one point, min and max are it. */
export interface BinnedSeries {
  key: string;
  points: number;
  /** Points in a bin. */
  size: number;
  epoch: number[];
  /** Number of the point in the middle of the bin, counted from 1 over the whole run. */
  index: number[];
  mean: number[];
  min: number[];
  max: number[];
}

export interface MetricList {
  metrics: MetricSummary[];
}

export interface EpochPage {
  epoch: number;
  row: EpochRow | null;
  batches: (BatchRow & { row: number })[];
  more: boolean;
  structures: StructureRow[];
  rejections: RejectionRow[];
  /** Other epochs there are. */
  previous: number | null;
  next: number | null;
}

export interface BatchPage {
  epoch: number;
  seedId: string;
  words: string | null;
  variations: VariationRow[];
}

export interface TaskListPage {
  tasks: TaskListRow[];
  more: boolean;
}

export interface RejectionPage {
  rejections: RejectionRow[];
  more: boolean;
}

/** A generation without ids and log-probs of its prompt. */
export interface GenerationView {
  id: string;
  epoch: number;
  seedId: string;
  author: Generation['author'];
  context: Message[];
  text: string;
  verdict: Verdict;
  taskId: string | null;
  tokens: number[];
  logprobs: number[];
}

/** Without the ids of its messages. */
export type TaskView = Task;

export interface PassportPage {
  task: TaskView;
  relatives: Relatives;
  variations: number;
  generations: GenerationView[];
  outcomes: (Outcome & { epoch: number })[];
  scores: (Score & { epoch: number })[];
  pools: PoolEntry[];
  quarantine: Quarantine | null;
}

export interface TurnView {
  promptTokens: number;
  tokens: number[];
  logprobs: number[];
}

export interface TraceView {
  index: number;
  policy: string;
  messages: Message[];
  turns: TurnView[];
  answer: Json;
  reward: number;
  /** What the judge of a world said. */
  terms?: RewardTerm[];
  success: boolean;
  valid: boolean;
  stop: StopReason;
  error: string | null;
}

export interface RolloutPage {
  task: TaskView;
  epoch: number;
  role: Role;
  /** The reward from which an attempt is a success. */
  threshold: number | 'auto';
  traces: TraceView[];
  /** Other groups of this task. */
  groups: { epoch: number; role: Role }[];
}

export interface VotePage {
  votes: Vote[];
  /** Attempts whose answers are too rare to be listed. */
  others: number;
  answered: number;
  silent: number;
  against: Vote | null;
  /** Earlier groups of attempts that were not read. */
  skipped: number;
}

/** The text of each token, list by list, or why there is none. A token that is part of a character has an empty one. */
export type TokenTexts = { texts: string[][]; why: null } | { texts: null; why: string };

export interface PoolPage {
  growth: PoolGrowth[];
}

export interface ComparedRun {
  id: string;
  status: Status;
  seed: number;
  settings: Record<string, string>;
  /** Per epoch: the metric, and what had been spent by then. */
  points: { epoch: number; value: number; tasks: number; tokens: number }[];
}

export interface ComparePage {
  key: string;
  keys: string[];
  band: { alpha: number; kMin: number } | null;
  runs: ComparedRun[];
  missing: string[];
}

/** How a run can be steered from this page. */
export type ControlPage = { offered: false } | SteeringPage;

export interface SteeringPage {
  offered: true;
  status: ControlState['status'];
  /** Whether the token that came with the question is the run's. */
  unlocked: boolean;
  /** The name that goes on record, unless the page has another. */
  who: string;
  /** Null where the run does not listen. */
  settings: Settings | null;
  /** What each may be set to, in words. */
  limits: Record<Tunable, string> | null;
  /** Accepted, and not yet in force. */
  waiting: { setting: Tunable; value: number; from: string }[];
  bans: { structure: string; state: 'sent' | 'waiting' | 'inForce' }[];
  /** Newest first. */
  events: ControlEventRow[];
}

export interface ControlEventRow {
  id: string;
  who: string;
  timeMs: number;
  what: string;
  /** `sent`: the run has not taken it up yet; `lost`: it ended before it did; `waiting`: accepted, from its place on. */
  state: 'sent' | 'lost' | 'refused' | 'waiting' | 'done';
}

/** What the page posts. */
export interface ControlRequest {
  action: ControlAction;
  who: string;
}

export interface ApiError {
  error: string;
}
