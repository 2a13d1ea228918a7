/**
 * What every engine offers, in the vocabulary of the Tinker protocol, so that one loop drives all of them. An engine owns
 * tokens and gradients; policies speak messages and lay losses out as per-token numbers.
 */
import type { Checkpoint, Message, Player, ToolCall, ToolSpec } from './types.ts';

export interface SampleRequest {
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** How many samples of the same prompt; the engine may share the prefix. */
  n: number;
  maxTokens: number;
  temperature: number;
  topP?: number;
  topK?: number;
  stop?: readonly string[];
  /** Decides every sample of this request, whatever runs beside it. */
  seed: number;
  signal?: AbortSignal;
}

export interface Sample {
  text: string;
  /** Where the engine parsed the calls itself (native tool calling); otherwise the policy reads them from the text. */
  toolCalls?: ToolCall[];
  /** −1 where a server counts its tokens but does not name them. */
  tokens: Int32Array;
  /** As many as tokens; none where a server does not tell. */
  logprobs: Float32Array;
  /** `length` means cut off: what was written is not a whole answer. */
  stop: 'stop' | 'length';
}

export interface Completion {
  /** The prompt as the model saw it; empty where a server does not tell. */
  prompt: Int32Array;
  samples: Sample[];
}

/**
 * The engine cannot go on, whatever is asked of it: a key that is refused, a server that stays away. Unlike a request that
 * failed this is no data. The run ends where it is and can be resumed once somebody has seen to the reason.
 */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped';
}

/** An immutable version of a model to sample from: never half an update, and it knows its name. */
export interface Sampler {
  readonly version: string;
  sample(request: SampleRequest): Promise<Completion>;
}

/**
 * One training sequence. All arrays have the length of `tokens`; entry t speaks of predicting tokens[t] from what
 * precedes it. Weights are ≥ 0 and carry the mask and the normalisation (0 on prompts and observations); advantages
 * carry the credit, of either sign.
 */
export interface Datum {
  tokens: Int32Array;
  weights: Float32Array;
  /** Log-probs under the policy that sampled, for losses with a ratio. */
  logprobs?: Float32Array;
  /** A; 1 where absent. */
  advantages?: Float32Array;
  /** Log-probs under the reference, for losses with a KL term. */
  reference?: Float32Array;
}

/**
 * Losses are sums over tokens (no engine normalises), with r = exp(logp − logprobs):
 *   crossEntropy        −Σ w·A·logp
 *   importanceSampling  −Σ w·r·A
 *   clipped             −Σ w·min(r·A, clip(r, 1−clipLow, 1+clipHigh)·A)
 * each plus klCoef·Σ w·k3 where klCoef > 0, with k3 = e^d − 1 − d, d = reference − logp.
 */
export type Loss =
  | { kind: 'crossEntropy'; klCoef?: number }
  | { kind: 'importanceSampling'; klCoef?: number }
  | { kind: 'clipped'; clipLow: number; clipHigh: number; klCoef?: number };

export interface ForwardBackward {
  loss: number;
  /** Current log-probs of each datum's tokens; 0 where the weight is 0. */
  logprobs: Float32Array[];
}

export interface OptimStep {
  learningRate: number;
  beta1?: number;
  beta2?: number;
  eps?: number;
  weightDecay?: number;
  /** Global gradient-norm limit; absent means none. */
  maxGradNorm?: number;
}

/** A player that learns. Gradients accumulate over forwardBackward calls until optimStep. */
export interface Trainer extends AsyncDisposable {
  readonly player: Player;
  /** The ids a sampler would see as the prompt: for training on a context the text was not sampled from. */
  encode(messages: readonly Message[], tools: readonly ToolSpec[]): Promise<Int32Array>;
  forward(data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]>;
  forwardBackward(data: readonly Datum[], loss: Loss, signal?: AbortSignal): Promise<ForwardBackward>;
  optimStep(step: OptimStep): Promise<{ gradNorm: number }>;
  /** Freezes the current weights under a name to sample from. */
  publish(version: string): Promise<Sampler>;
  /** Writes weights and optimizer state; returns only when they are safe on disk. */
  save(name: string): Promise<Checkpoint>;
  load(checkpoint: Checkpoint): Promise<void>;
  /** Forgets a checkpoint that no cursor points at any more. */
  discard(checkpoint: Checkpoint): Promise<void>;
}

/** The player as it was before training: what KL is measured against, and the exploration floor samples from. */
export interface Reference extends Sampler {
  logprobs(data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]>;
}

export interface SamplingEngine extends AsyncDisposable {
  readonly name: string;
  sampler(player: Player): Promise<Sampler>;
}

export interface TrainingEngine extends SamplingEngine {
  trainer(player: Player): Promise<Trainer>;
  reference(player: Player): Promise<Reference>;
}
