/** What a client may send, checked: lenient to fields nobody knows, strict in the shape of those that count. */
import * as z from 'zod';
import type { WireLimits } from './limits.ts';
import type * as m from './messages.ts';
import { WireError } from './proto-reader.ts';
import { count, finite, id, problemsOf, tensor, wholeNumbers } from './schema-parts.ts';

/** A schema for every call that has a body. */
export interface RequestSchemas {
  'client/config': z.ZodType<m.ClientConfigRequest>;
  create_session: z.ZodType<m.CreateSessionRequest>;
  session_heartbeat: z.ZodType<m.SessionHeartbeatRequest>;
  create_model: z.ZodType<m.CreateModelRequest>;
  forward: z.ZodType<m.ForwardRequest>;
  forward_backward: z.ZodType<m.ForwardBackwardRequest>;
  optim_step: z.ZodType<m.OptimStepRequest>;
  save_weights: z.ZodType<m.SaveWeightsRequest>;
  load_weights: z.ZodType<m.LoadWeightsRequest>;
  save_weights_for_sampler: z.ZodType<m.SaveWeightsForSamplerRequest>;
  create_sampling_session: z.ZodType<m.CreateSamplingSessionRequest>;
  asample: z.ZodType<m.SampleRequest>;
  retrieve_future: z.ZodType<m.RetrieveFutureRequest>;
  get_info: z.ZodType<m.ModelRequest>;
  unload_model: z.ZodType<m.ModelRequest>;
  weights_info: z.ZodType<m.PathRequest>;
}

export type CallName = keyof RequestSchemas;
export type RequestOf<K extends CallName> = z.output<RequestSchemas[K]>;

const notOffered = z.literal([0, null], { error: 'this server does not offer it' }).optional();

export function requestSchemas(limits: WireLimits): RequestSchemas {
  const { maxTokens, maxData, maxSamples } = limits;
  const chunk = z.object({ type: z.literal('encoded_text').default('encoded_text'), tokens: wholeNumbers(maxTokens) });
  const modelInput = z.object({ chunks: z.array(chunk).max(maxTokens) });
  const datum = z.object({
    model_input: modelInput,
    loss_fn_inputs: z.record(z.string().max(100), tensor(maxTokens)),
  });
  const lossInput = z
    .object({
      data: z.array(datum).min(1).max(maxData),
      loss_fn: z.string().min(1).max(100),
      loss_fn_config: z.record(z.string(), z.union([finite, z.string()])).nullish(),
    })
    .refine((input) => tokensOf(input.data) <= limits.maxBatchTokens, {
      error: `has more than ${limits.maxBatchTokens} tokens in all`,
    });
  const modelCall = { model_id: id, seq_id: z.int().min(1) };
  const ttl_seconds = finite.nullish();
  const path = z.string().min(1).max(300).nullish();
  return {
    'client/config': z.object({ sdk_version: z.string().optional() }),
    create_session: z.object({
      tags: z.array(z.string()).optional(),
      user_metadata: z.unknown().optional(),
      sdk_version: z.string().optional(),
      project_id: z.string().nullish(),
    }),
    session_heartbeat: z.object({ session_id: id }),
    create_model: z.object({
      session_id: id,
      model_seq_id: count,
      base_model: id,
      lora_config: z
        .object({
          rank: z.int().min(1).max(4096),
          seed: z.int().nullish(),
          train_unembed: z.boolean().optional(),
          train_mlp: z.boolean().optional(),
          train_attn: z.boolean().optional(),
          alpha: finite.nullish(),
        })
        .refine(({ rank, alpha }) => alpha == null || alpha === 2 * rank, {
          error: 'alpha is twice the rank on this server: leave it out',
        })
        .nullish(),
      optimizer_config: z
        .unknown()
        .refine((config) => config == null || /adam/i.test(JSON.stringify(config)), {
          error: 'this server has AdamW and no other optimizer',
        })
        .optional(),
      user_metadata: z.unknown().optional(),
    }),
    forward: z.object({ ...modelCall, forward_input: lossInput }),
    forward_backward: z.object({ ...modelCall, forward_backward_input: lossInput }),
    optim_step: z.object({
      ...modelCall,
      adam_params: z.object({
        learning_rate: finite.min(0),
        beta1: finite.min(0).lt(1).optional(),
        beta2: finite.min(0).lt(1).optional(),
        eps: finite.min(0).optional(),
        weight_decay: finite.min(0).optional(),
        grad_clip_norm: finite.min(0).optional(),
      }),
    }),
    save_weights: z.object({ ...modelCall, path, ttl_seconds, overwrite: z.boolean().optional() }),
    load_weights: z.object({ ...modelCall, path: z.string().min(1).max(300), optimizer: z.boolean().default(false) }),
    save_weights_for_sampler: z.object({ ...modelCall, path, sampling_session_seq_id: count.nullish(), ttl_seconds }),
    create_sampling_session: z.object({
      session_id: id,
      sampling_session_seq_id: count,
      base_model: id.nullish(),
      model_path: path,
    }),
    asample: z.object({
      sampling_session_id: id,
      seq_id: z.int().min(0),
      num_samples: z.int().min(1).max(maxSamples),
      prompt: modelInput,
      sampling_params: z.object({
        max_tokens: z.int().min(0).nullish(),
        seed: z.int().nullish(),
        stop: z.union([z.string(), z.array(z.string().max(200)).max(64), z.array(z.int()).max(1024)]).nullish(),
        temperature: finite.min(0).optional(),
        top_k: z.int().min(-1).optional(),
        top_p: finite.gt(0).max(1).optional(),
      }),
      prompt_logprobs: z.boolean().nullish(),
      // To leave these out of an answer without a word would be wrong in silence.
      topk_prompt_logprobs: notOffered,
      topk_sample_logprobs: notOffered,
      prompt_alt_tokens_k: notOffered,
      target_prompt_logprobs: notOffered,
      prompt_logprobs_last_n: notOffered,
    }),
    retrieve_future: z.object({ request_id: id, allow_metadata_only: z.boolean().optional() }),
    get_info: z.object({ model_id: id }),
    unload_model: z.object({ model_id: id }),
    weights_info: z.object({ tinker_path: z.string().max(300) }),
  };
}

/** The message a body holds, or a WireError that says what is wrong with it. */
export function check<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new WireError(problemsOf(result.error));
  return result.data;
}

function tokensOf(data: readonly m.Datum[]): number {
  return data.reduce(
    (sum, { model_input }) => sum + model_input.chunks.reduce((tokens, chunk) => tokens + chunk.tokens.length, 0),
    0,
  );
}
