/**
 * GenEnv as a library: the loop, its parts, and what it takes to run one. Engines and the store have subpaths of their own.
 * @module
 */

export { type Config, ConfigError, type ConfigInput, configToYaml, loadConfig } from './config.ts';
export {
  alphaIn,
  type Change,
  type ControlAction,
  ControlError,
  type ControlState,
  controlAnswer,
  controlState,
  isTokenOf,
  newToken,
  readChanges,
  requestControl,
} from './control.ts';
export { agentReward, similarity } from './core/agent-reward.ts';
export type { Benchmark, Observation, Session, TaskDraft, TextWorld, ToolWorld } from './core/benchmark.ts';
export { coevolve, type Game } from './core/coevolve.ts';
export { structureOf, taskId } from './core/content-id.ts';
export { appraise, bandMass, type CurriculumSettings, envReward, inBand, rwrWeights } from './core/curriculum.ts';
export {
  type Completion,
  type Datum,
  EngineStopped,
  type Loss,
  type OptimStep,
  type Reference,
  type Sample,
  type SampleRequest,
  type Sampler,
  type SamplingEngine,
  type Trainer,
  type TrainingEngine,
} from './core/engine.ts';
export { ENV_UPDATES, type EnvUpdate } from './core/env-update.ts';
export type { RunEvent } from './core/events.ts';
export { type Ask, type Exam, type ExamMetric, type ExamVerdict, LineError } from './core/exam.ts';
export { advantages, grpoData } from './core/grpo.ts';
export type { Cursor, Journal, Ledger, Writes } from './core/journal.ts';
export { clippedObjective, k3, tokenLoss } from './core/loss.ts';
export type { AgentPlayer, Brief, EnvironmentPlayer } from './core/players.ts';
export { createRng, type Rng, restoreRng } from './core/rng.ts';
export { rwrData, withKlCap } from './core/rwr.ts';
export type { Script } from './core/script.ts';
export { creditEvidence, type Evidence, successRate } from './core/success-rate.ts';
export { misrankingBound, signalBounds, survival } from './core/theory.ts';
export type {
  Checkpoint,
  EvalSpec,
  Generation,
  Group,
  Json,
  Message,
  Outcome,
  Score,
  Task,
  ToolCall,
  ToolSpec,
  Trace,
  Verdict,
} from './core/types.ts';
export { VARIANTS, type Variant } from './core/variants.ts';
export { type Diagnosis, diagnose } from './doctor.ts';
export { EXAMINED, type ExaminedName, openExams } from './exams.ts';
export { agentPolicy } from './policies/agent.ts';
export { environmentPolicy } from './policies/environment.ts';
export { createRunFolder, play, type Summary, type TrainEvent } from './run.ts';
