/** What the server needs of an engine: many models on a few bases, by tokens alone. */
import type { Datum, ForwardBackward, Loss, OptimStep } from '../core/engine.ts';

/** Projections of every layer's attention or MLP, or the output layer. */
export type AdapterPart = 'attention' | 'mlp' | 'head';

export interface AdapterOptions {
  rank: number;
  seed?: number | undefined;
  /** Attention and MLP where absent. */
  on?: readonly AdapterPart[] | undefined;
}

export interface HostBase {
  readonly name: string;
  readonly config: { readonly context: number; readonly vocabulary: number };
  /** The id that ends a turn: what samples stop at unless told otherwise. */
  readonly end: number;
}

export interface HostSampleRequest {
  prompt: Int32Array;
  n: number;
  maxTokens: number;
  temperature: number;
  topP?: number | undefined;
  topK?: number | undefined;
  seed: number;
  stopTokens: readonly number[];
  stopStrings?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface HostSampler {
  sample(
    request: HostSampleRequest,
  ): Promise<{ tokens: Int32Array; logprobs: Float32Array; stop: 'stop' | 'length' }[]>;
  /** Of all tokens but the first. */
  logprobs(tokens: Int32Array, signal?: AbortSignal): Promise<Float32Array>;
  release(): Promise<void>;
}

export interface HostModel {
  forward(data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]>;
  forwardBackward(data: readonly Datum[], loss: Loss, signal?: AbortSignal): Promise<ForwardBackward>;
  optimStep(step: OptimStep): Promise<{ gradNorm: number }>;
  /** Forgets the gradients of forwardBackward calls since the last step. */
  clearGradients(): Promise<void>;
  freeze(): Promise<HostSampler>;
  save(folder: string, name: string, options?: { weightsOnly?: boolean }): Promise<string>;
  load(folder: string, name: string, options: { optimizer: boolean }): Promise<void>;
  unload(): Promise<void>;
}

export interface ModelHost extends AsyncDisposable {
  readonly bases: readonly HostBase[];
  create(name: string, base: string, adapter?: AdapterOptions): HostModel;
  sampler(base: string): HostSampler;
  open(checkpoint: {
    folder: string;
    name: string;
    base: string;
    adapter?: AdapterOptions | undefined;
  }): Promise<HostSampler>;
}
