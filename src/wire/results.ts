/** What a server may answer, checked as carefully as what a client may send: neither is trusted. */
import * as z from 'zod';
import type { WireLimits } from './limits.ts';
import type * as m from './messages.ts';
import { count, finite, id, numbers, tensor, wholeNumbers } from './schema-parts.ts';

export interface ResultSchemas {
  future: z.ZodType<m.FutureAnswer>;
  capabilities: z.ZodType<m.ServerCapabilities>;
  create_session: z.ZodType<m.CreateSessionResult>;
  create_model: z.ZodType<m.CreateModelResult>;
  forward_backward: z.ZodType<m.ForwardBackwardResult>;
  optim_step: z.ZodType<m.OptimStepResult>;
  save_weights: z.ZodType<m.SaveWeightsResult>;
  load_weights: z.ZodType<m.LoadWeightsResult>;
  save_weights_for_sampler: z.ZodType<m.SaveWeightsForSamplerResult>;
  create_sampling_session: z.ZodType<m.CreateSamplingSessionResult>;
  asample: z.ZodType<m.SampleResult>;
  get_info: z.ZodType<m.ModelInfo>;
}

export function resultSchemas({ maxTokens, maxData, maxSamples }: WireLimits): ResultSchemas {
  const metrics = z.record(z.string(), finite);
  const said = z.string().nullish();
  return {
    future: z.object({ request_id: id, model_id: said }),
    capabilities: z.object({
      supported_models: z.array(z.object({ model_name: z.string(), max_context_length: count.nullish() })),
    }),
    create_session: z.object({ session_id: id, info_message: said, warning_message: said, error_message: said }),
    create_model: z.object({ model_id: id }),
    forward_backward: z.object({
      loss_fn_output_type: z.string(),
      loss_fn_outputs: z.array(z.record(z.string(), tensor(maxTokens))).max(maxData),
      metrics,
    }),
    optim_step: z.object({ metrics: metrics.nullish() }),
    save_weights: z.object({ path: z.string().min(1), sha256: z.string().optional() }),
    load_weights: z.object({ path: said }),
    save_weights_for_sampler: z.object({ path: said, sampling_session_id: said }),
    create_sampling_session: z.object({ sampling_session_id: id }),
    asample: z.object({
      sequences: z
        .array(
          z.object({
            stop_reason: z.enum(['stop', 'length']),
            tokens: wholeNumbers(maxTokens),
            logprobs: numbers(maxTokens).nullish(),
          }),
        )
        .max(maxSamples),
      prompt_logprobs: z
        .union([z.instanceof(Float32Array), z.array(finite.nullable()).max(maxTokens).transform(withNaN)])
        .nullish(),
    }),
    get_info: z.object({
      model_id: id,
      model_data: z.object({ arch: said, model_name: said, tokenizer_id: said }),
      is_lora: z.boolean().nullish(),
      lora_rank: count.nullish(),
      model_name: said,
    }),
  };
}

/** JSON has no NaN: null stands for a log-probability that was not computed. */
function withNaN(values: readonly (number | null)[]): Float32Array {
  return Float32Array.from(values, (value) => value ?? Number.NaN);
}

/** What retrieve_future has to say, before anyone knows which result it is. */
export type Retrieved =
  | { kind: 'result'; body: unknown }
  | { kind: 'tryAgain'; queueState: string | undefined; reason: string | undefined }
  | { kind: 'metadata'; size: number | undefined }
  | { kind: 'failed'; error: string; category: m.FailureCategory };

const tryAgain = z.object({
  type: z.literal('try_again'),
  queue_state: z.string().optional(),
  queue_state_reason: z.string().nullish(),
});
const metadata = z.object({ status: z.literal('complete_metadata'), response_payload_size: count.optional() });
const failed = z.object({ error: z.string(), category: z.string().optional() });

export function readRetrieved(body: unknown): Retrieved {
  const again = tryAgain.safeParse(body);
  if (again.success) {
    const { queue_state, queue_state_reason } = again.data;
    return { kind: 'tryAgain', queueState: queue_state, reason: queue_state_reason ?? undefined };
  }
  const complete = metadata.safeParse(body);
  if (complete.success) return { kind: 'metadata', size: complete.data.response_payload_size };
  const failure = failed.safeParse(body);
  if (failure.success) {
    const category = failure.data.category?.toLowerCase();
    return {
      kind: 'failed',
      error: failure.data.error,
      category: category === 'user' || category === 'server' ? category : 'unknown',
    };
  }
  return { kind: 'result', body };
}
