/**
 * The Tinker protocol's messages in their JSON form, under the names they have on the wire. Protobuf bodies decode to the
 * same objects, so that everything behind the codec knows one form.
 */

export type Dtype = 'float32' | 'int64';

/** Numbers as JSON has them, or as protobuf leaves them: without a copy each. */
export type Numbers = readonly number[] | Float32Array | Float64Array | Int32Array;

export interface Tensor {
  data: Numbers;
  dtype: Dtype;
  shape?: readonly number[] | null | undefined;
}

export interface EncodedTextChunk {
  type: 'encoded_text';
  tokens: Numbers;
}

export interface ModelInput {
  chunks: readonly EncodedTextChunk[];
}

/** Inputs are full[:-1], targets full[1:]; every tensor has one entry a target. */
export interface Datum {
  model_input: ModelInput;
  loss_fn_inputs: Readonly<Record<string, Tensor>>;
}

export interface LossInput {
  data: readonly Datum[];
  loss_fn: string;
  loss_fn_config?: Readonly<Record<string, number | string>> | null | undefined;
}

export interface ClientConfigRequest {
  sdk_version?: string | undefined;
}

export interface CreateSessionRequest {
  tags?: readonly string[] | undefined;
  user_metadata?: unknown;
  sdk_version?: string | undefined;
  project_id?: string | null | undefined;
}

export interface SessionHeartbeatRequest {
  session_id: string;
}

export interface LoraConfig {
  rank: number;
  seed?: number | null | undefined;
  train_unembed?: boolean | undefined;
  train_mlp?: boolean | undefined;
  train_attn?: boolean | undefined;
}

export interface CreateModelRequest {
  session_id: string;
  model_seq_id: number;
  base_model: string;
  /** Absent: the whole model is trained, where the server can. */
  lora_config?: LoraConfig | null | undefined;
  user_metadata?: unknown;
}

/** A call in a model's own order: seq_id counts from 1 over all of them. */
export interface ModelCall {
  model_id: string;
  seq_id: number;
}

export interface ForwardBackwardRequest extends ModelCall {
  forward_backward_input: LossInput;
}

export interface ForwardRequest extends ModelCall {
  forward_input: LossInput;
}

export interface AdamParams {
  learning_rate: number;
  beta1?: number | undefined;
  beta2?: number | undefined;
  eps?: number | undefined;
  weight_decay?: number | undefined;
  /** 0 is no limit. */
  grad_clip_norm?: number | undefined;
}

export interface OptimStepRequest extends ModelCall {
  adam_params: AdamParams;
}

export interface SaveWeightsRequest extends ModelCall {
  path?: string | null | undefined;
  ttl_seconds?: number | null | undefined;
  overwrite?: boolean | undefined;
}

export interface LoadWeightsRequest extends ModelCall {
  path: string;
  /** Whether moments and step come along with the weights. */
  optimizer: boolean;
}

export interface SaveWeightsForSamplerRequest extends ModelCall {
  /** A name to sample from later, or none: then the answer is a sampling session. */
  path?: string | null | undefined;
  sampling_session_seq_id?: number | null | undefined;
  ttl_seconds?: number | null | undefined;
}

export interface CreateSamplingSessionRequest {
  session_id: string;
  sampling_session_seq_id: number;
  base_model?: string | null | undefined;
  model_path?: string | null | undefined;
}

export interface SamplingParams {
  max_tokens?: number | null | undefined;
  seed?: number | null | undefined;
  /** Absent: the model's own end of turn. Empty: nothing ends a sample but its length. */
  stop?: string | readonly string[] | readonly number[] | null | undefined;
  temperature?: number | undefined;
  /** −1 is no limit. */
  top_k?: number | undefined;
  top_p?: number | undefined;
}

export interface SampleRequest {
  sampling_session_id: string;
  seq_id: number;
  num_samples: number;
  prompt: ModelInput;
  sampling_params: SamplingParams;
  prompt_logprobs?: boolean | null | undefined;
}

export interface RetrieveFutureRequest {
  request_id: string;
  allow_metadata_only?: boolean | undefined;
}

export interface ModelRequest {
  model_id: string;
}

export interface PathRequest {
  tinker_path: string;
}

/** What a call answers whose result comes later. */
export interface FutureAnswer {
  request_id: string;
  model_id?: string | null | undefined;
}

export interface ServerCapabilities {
  supported_models: { model_name: string; max_context_length?: number | null | undefined }[];
}

export interface CreateSessionResult {
  session_id: string;
  info_message?: string | null | undefined;
  warning_message?: string | null | undefined;
  error_message?: string | null | undefined;
}

export interface CreateModelResult {
  model_id: string;
}

export type LossOutput = Readonly<Record<string, Tensor>>;

export interface ForwardBackwardResult {
  loss_fn_output_type: string;
  loss_fn_outputs: readonly LossOutput[];
  /** Keys carry their reducer: `loss:sum`. */
  metrics: Readonly<Record<string, number>>;
}

export interface OptimStepResult {
  metrics?: Readonly<Record<string, number>> | null | undefined;
}

export interface SaveWeightsResult {
  path: string;
  /** Of the checkpoint's manifest, which names every file's: an addition of `genenv serve`. */
  sha256?: string | undefined;
}

export interface LoadWeightsResult {
  path?: string | null | undefined;
}

export interface SaveWeightsForSamplerResult {
  path?: string | null | undefined;
  sampling_session_id?: string | null | undefined;
}

export interface CreateSamplingSessionResult {
  sampling_session_id: string;
}

export interface SampledSequence {
  stop_reason: 'stop' | 'length';
  tokens: Numbers;
  logprobs?: Numbers | null | undefined;
}

export interface SampleResult {
  sequences: readonly SampledSequence[];
  /** One entry a prompt token; NaN (null in JSON) where there is none, as at the first. */
  prompt_logprobs?: Float32Array | null | undefined;
}

export interface ModelInfo {
  model_id: string;
  model_data: {
    arch?: string | null | undefined;
    model_name?: string | null | undefined;
    tokenizer_id?: string | null | undefined;
  };
  is_lora?: boolean | null | undefined;
  lora_rank?: number | null | undefined;
  model_name?: string | null | undefined;
}

/** What retrieve_future may say instead of a result. */
export interface TryAgain {
  type: 'try_again';
  request_id?: string | undefined;
  queue_state?: string | undefined;
  queue_state_reason?: string | null | undefined;
}

export interface CompleteMetadata {
  status: 'complete_metadata';
  response_payload_size?: number | undefined;
}

/** `user`: the request was wrong and will be again; `server`: it may succeed another time. */
export type FailureCategory = 'user' | 'server' | 'unknown';

export interface RequestFailed {
  error: string;
  category: FailureCategory;
}
