/**
 * What runs amounted to, complete enough to draw every figure without opening a run again. One run alone is a comparison
 * of one arm with one seed.
 */
import type { Ledger } from '../core/journal.ts';
import type { AlphaStep } from '../core/stepped-band.ts';
import type { Json } from '../core/types.ts';

export interface Comparison {
  title: string;
  /** What to type to get these numbers again. */
  command: string;
  version: string;
  createdAt: string;
  machine: { cpu: string; cores: number; node: string };
  benchmark: string;
  engine: string;
  /** α and k_min: the band that success on generated tasks is drawn against. */
  band: { alpha: number; kMin: number };
  seeds: number[];
  arms: Arm[];
}

export interface Arm {
  name: string;
  /** One sentence: what is different in this arm. */
  description: string;
  /** Settings that differ from the first arm's. */
  settings: Record<string, Json>;
  runs: ArmRun[];
}

export interface ArmRun {
  seed: number;
  /** The run's folder, relative to the report. */
  run: string;
  /** Wall time, all processes that worked on it together. */
  seconds: number;
  /** Epoch 0 first: how the agent stood before training. */
  epochs: EpochPoint[];
  /** After the last epoch, on tasks nobody tuned on; null where the benchmark has no test split. */
  test: SplitResult | null;
  validation: SplitResult | null;
  /** Where a person changed α while the run went on. */
  alphaSteps?: AlphaStep[];
  /** Everything that was changed while it went on, oldest first. */
  changes?: ReportedChange[];
}

export interface ReportedChange {
  who: string;
  timeMs: number;
  /** What it was and is, in words. */
  what: string;
  /** From where on, in words. */
  from: string;
}

export interface EpochPoint {
  epoch: number;
  /**
   * Whole-epoch metrics by key, as in docs/metrics.md, and what is made of others for the report: the mean of `agent/kl` over
   * the steps, success on base tasks (`base/successRate`), how large the pools have become (`pool/agent`, `pool/environment`).
   */
  metrics: Record<string, number>;
  /** Generations by verdict: `accepted`, or why they were rejected. */
  verdicts: Record<string, number>;
  /** Spent since the start of the run, this epoch included. */
  ledger: Ledger;
  /** Mean reward of the tasks of each optimizer step of the agent, in order. */
  stepRewards: number[];
}

export interface SplitResult {
  tasks: number;
  successRate: number;
  /** Success by kind of task, hardest last. */
  strata: { name: string; tasks: number; successRate: number }[];
}
