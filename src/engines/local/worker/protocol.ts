/** What the main thread asks of a worker, and what comes back. Weights and gradients stay in shared memory. */
import type { Loss } from '../../../core/engine.ts';
import type { JsonObject } from '../../../core/types.ts';
import type { LoraConfig, ModelConfig } from '../model/config.ts';
import type { AdamW, Range } from '../train/adamw.ts';
import type { MicroBatch } from '../train/micro-batch.ts';
import type { Gate } from './gate.ts';

export interface ModelSpec {
  config: ModelConfig;
  lora?: LoraConfig | undefined;
}

/** A flat array all threads see. Its content may change only together with its version. */
export interface SharedArray {
  key: string;
  version: number;
  buffer: SharedArrayBuffer;
}

/** A flat array that every worker has a copy of, under this key, until it is dropped. */
export interface HeldArray {
  key: string;
}

export interface SharedWeights {
  base: SharedArray | HeldArray;
  adapter?: SharedArray | HeldArray | undefined;
}

interface Batches {
  model: ModelSpec;
  weights: SharedWeights;
  batches: readonly MicroBatch[];
}

export interface SampleArguments {
  model: ModelSpec;
  weights: SharedWeights;
  prompt: Int32Array;
  n: number;
  maxTokens: number;
  temperature: number;
  topP?: number | undefined;
  topK?: number | undefined;
  allowed?: Uint8Array | undefined;
  /** Ids from here on are padding of the output layer and never chosen. */
  vocabulary?: number | undefined;
  seed: number;
  stopTokens: readonly number[];
  /** Needs the tokenizer of this key. */
  stopStrings?: readonly string[] | undefined;
  tokenizer?: string | undefined;
}

export interface SampledRow {
  tokens: Int32Array;
  logprobs: Float32Array;
  stop: 'stop' | 'length';
}

/** Every call: its argument and its result. */
export interface Calls {
  tokenizer: { argument: { key: string; json: JsonObject }; result: undefined };
  /** Copies shared weights under another key: published, they no longer change. */
  hold: { argument: HeldArray & { from: SharedArrayBuffer }; result: undefined };
  drop: { argument: HeldArray; result: undefined };
  score: { argument: Batches; result: Float32Array[] };
  /** Adds to `gradient`; the results are the batches' log-probs. */
  accumulate: { argument: Batches & { loss: Loss; gradient: SharedArrayBuffer }; result: Float32Array[] };
  /** Adds all gradients into the first over a range; returns the sum of its squares. */
  reduce: { argument: { gradients: readonly SharedArrayBuffer[]; range: Range }; result: number };
  update: {
    argument: {
      weights: SharedArrayBuffer;
      gradient: SharedArrayBuffer;
      m: SharedArrayBuffer;
      v: SharedArrayBuffer;
      range: Range;
      options: AdamW;
      step: number;
      scale: number;
    };
    result: undefined;
  };
  sample: { argument: SampleArguments; result: SampledRow[] };
}

/** What a thread is started with. */
export interface ThreadData {
  threads: number;
  maxRows: number;
  gate: Gate;
  /** Which of the pool's workers this is. */
  index: number;
}

export type CallName = keyof Calls;

export type ToWorker =
  | { [K in CallName]: { id: number; call: K; argument: Calls[K]['argument'] } }[CallName]
  | { id: number; call: 'abort' }
  | { id: number; call: 'close' };

export type FromWorker = { id: number; result: unknown } | { id: number; error: unknown };
