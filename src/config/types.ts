/**
 * A run's configuration after defaults, preset, file and flags. What each setting means, its range and its default are
 * said once, in schema.ts, which the compiler holds to these types.
 */

export type PresetName = 'quick' | 'robust' | 'full' | 'paper';
export type Variant = 'genenv' | 'genenv-random' | 'genenv-static' | 'teacher-offline' | 'base';

export interface Config {
  name?: string;
  preset: PresetName;
  seed: number;
  epochs: number;
  concurrency: number;
  variant: Variant;
  benchmark: BenchmarkConfig;
  engine: EngineConfig;
  writer?: OpenAiConfig;
  curriculum: CurriculumConfig;
  generation: GenerationConfig;
  rollout: RolloutConfig;
  agent: AgentConfig;
  environment: EnvironmentConfig;
  pools: PoolsConfig;
  fixed: FixedConfig;
  evaluation: EvaluationConfig;
  metrics: MetricsConfig;
}

export type BenchmarkConfig =
  | { name: 'errands'; baseTasks?: number }
  | { name: 'letters'; baseTasks?: number }
  | { name: 'toy'; baseTasks?: number }
  | { name: 'file'; seeds: string; validation?: string; test?: string; baseTasks?: number }
  | { name: 'bfcl'; history?: BfclHistory; baseTasks?: number }
  | { name: 'api-bank'; protocol?: 'soft' | 'strict'; baseTasks?: number }
  | { name: 'alfworld'; showAdmissible?: boolean; dialect?: 'new' | 'old'; baseTasks?: number }
  | { name: 'travelplanner'; strict?: boolean; referenceCharacters?: number; baseTasks?: number }
  | { name: 'bamboogle'; corpus?: string; search?: string; baseTasks?: number };

export type BfclHistory = 'calls+results' | 'calls' | 'users' | 'none';

export type EngineConfig =
  | { kind: 'scripted'; record?: string }
  | LocalEngineConfig
  | { kind: 'replay'; recording: string; record?: string }
  | OpenAiConfig
  | TinkerConfig;

/** A server that trains adapters and samples from them. */
export interface TinkerConfig {
  kind: 'tinker';
  url: string;
  keyEnv: string;
  model: string;
  tokenizer: string;
  environmentModel?: string;
  environmentTokenizer?: string;
  loraRank: number;
  losses: 'auto' | 'portable';
  wire: 'json' | 'protobuf';
  shorthand: boolean;
  maxOutageSeconds: number;
  record?: string;
}

/** A server to sample from. */
export interface OpenAiConfig {
  kind: 'openai';
  url: string;
  model: string;
  keyEnv: string;
  mode: 'chat' | 'completions';
  headers?: Record<string, string>;
  timeoutSeconds: number;
  maxRetries: number;
  maxOutageSeconds: number;
  startConcurrency: number;
  maxConcurrency: number;
  requestsPerSecond?: number;
  inputPrice?: number;
  outputPrice?: number;
  logprobs: 'on' | 'auto' | 'off';
  seed: boolean;
  tools: 'auto' | 'native' | 'text';
  extra?: Record<string, unknown>;
}

export interface LocalEngineConfig {
  kind: 'local';
  model?: string;
  width: number;
  layers: number;
  heads: number;
  context: number;
  warmSteps: number | 'auto';
  loraRank: number;
  threads: number | 'auto';
  record?: string;
}

export interface CurriculumConfig {
  alpha: number;
  beta: number;
  kMin: number;
  lambda: number;
  variations: number;
  rollouts: number;
  successScope: 'seed' | 'task' | 'epoch';
  shrinkage: number;
  successThreshold: number | 'auto';
  reward: 'bell' | 'bandMass' | 'rZero' | 'learnability';
  filter: 'strict' | 'soft' | 'none';
  minKept: number;
  quota: number;
}

export interface GenerationConfig {
  seedsPerEpoch: number | 'all';
  temperature: number;
  maxTokens: number;
  explorationShare: number;
  evolveSeeds: boolean;
  historyEpochs: number;
}

export interface RolloutConfig {
  temperature: number;
  maxTokens: number;
  maxTurns: number;
  tokenBudget: number;
}

export interface AgentConfig {
  learningRate: number | 'auto';
  batchSize: number;
  passes: number;
  advantage: 'grpo' | 'drGrpo';
  clipLow: number;
  clipHigh: number;
  klCoef: number;
  maxGradNorm: number;
  weightDecay: number;
}

export interface EnvironmentConfig {
  update: 'rwr' | 'grpo' | 'hindsight' | 'none';
  learningRate: number | 'auto';
  batchSize: number;
  passes: number;
  klCoef: number;
  maxKl: number | 'auto';
  klSamples: number;
  maxGradNorm: number;
  weightDecay: number;
}

export interface PoolsConfig {
  baseShare: number;
  replayShare: number;
  maxStaleness: number;
  reuseShare: number;
}

export interface FixedConfig {
  variations: number;
  teacherRatio: number;
}

export interface EvaluationConfig {
  every: number;
  tasks: number | 'all';
  rollouts: number;
  temperature: number;
  test: boolean;
}

export interface MetricsConfig {
  sinks: SinkConfig[];
}

export type SinkConfig =
  | { kind: 'tensorboard' }
  | { kind: 'mlflow'; url?: string; experiment: string }
  | { kind: 'otel'; endpoint?: string; engineCalls: boolean };

/** What a caller may give: any part of it. `undefined` means not given, so absent flags can be passed as they are. */
export type ConfigInput = { [K in keyof Config]?: Part<Config[K]> | Shorthand<K> | undefined };

type Part<T> = T extends object ? { [K in keyof T]?: T[K] | undefined } : T;
/** `engine: scripted` is short for `engine: { kind: scripted }`, and a benchmark is named the same way. */
type Shorthand<K> = K extends 'engine' ? EngineConfig['kind'] : K extends 'benchmark' ? BenchmarkConfig['name'] : never;
