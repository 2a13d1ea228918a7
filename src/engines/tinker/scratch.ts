/** An adapter to try things on: raw calls in sequence, nothing repeated, one token watched. */
import type { LossInput } from '../../wire/messages.ts';
import { loraConfig, openSamplingSession } from './adapter.ts';
import { readLogprobs, readModelId, readNothing, readPublished } from './answers.ts';
import { Fault } from './fault.ts';
import type { Server } from './server.ts';
import type { Session } from './session.ts';
import { wireDatum } from './wire-data.ts';

export interface ProbeParts {
  server: Server;
  session: Session;
  base: string;
  rank: number;
}

/** A sequence with an advantage on the watched target. */
export interface Nudge {
  advantage: number;
  /** How far below the current log-prob the sampled one is put. */
  sampled?: number;
  /** How far below it a reference is put, where there is one. */
  reference?: number;
  /** Targets that count, from the watched one on. */
  counted?: number;
}

export interface TrainOptions {
  mask: boolean;
  loss?: string;
  config?: Record<string, number>;
  tokens?: number[];
  /** Sends the very same request two times. */
  twice?: boolean;
}

export interface Scratch {
  /** The watched target's log-prob. */
  score(): Promise<number>;
  /** Log-probs of the last `count` tokens. */
  scoreOf(tokens: readonly number[], count: number): Promise<number[]>;
  train(nudges: readonly Nudge[], options: TrainOptions): Promise<void>;
  step(adam?: object): Promise<unknown>;
  publish(): Promise<string>;
  sample(session: string, prompt: readonly number[], params: object, more: object): Promise<unknown>;
  unload(): Promise<void>;
}

export async function openScratch(parts: ProbeParts, tokens: readonly number[], watched: number): Promise<Scratch> {
  const { server, session, base, rank } = parts;
  const open = await session.current();
  const create = {
    session_id: open.id,
    model_seq_id: open.nextModel(),
    base_model: base,
    ...loraConfig(rank, 1),
    user_metadata: { purpose: 'probe' },
    type: 'create_model',
  };
  const model_id = await server.future('create_model', create, readModelId).catch((error) => {
    if (error instanceof Fault && error.kind === 'lost') session.lost(open.id);
    throw error;
  });
  let seq = 0;
  let samples = 0;
  /** Never repeated: whether the server would run it twice is one of the questions. */
  const call = <T>(path: string, fields: object, read: (result: unknown) => T) =>
    server.future(path, { model_id, seq_id: ++seq, ...fields }, read, { once: true });

  const scoreOf = async (ids: readonly number[], count: number): Promise<number[]> => {
    const weights = new Float32Array(ids.length).fill(1, 1);
    const datum = wireDatum({ tokens: Int32Array.from(ids), weights }, { weights });
    const input: LossInput = { data: [datum], loss_fn: 'cross_entropy' };
    const [logprobs] = await call('forward', { forward_input: input }, readLogprobs([weights.subarray(1)]));
    return Array.from(logprobs!.subarray(logprobs!.length - count));
  };
  const allOf = (ids: readonly number[]) => scoreOf(ids, ids.length - 1);

  return {
    scoreOf,
    score: async () => (await allOf(tokens))[watched]!,
    async train(nudges, { mask, loss = 'importance_sampling', config, tokens: ids = [...tokens], twice }) {
      const current = await allOf(ids);
      const data = nudges.map(({ advantage, sampled = 0, counted = 1, reference }) => {
        const perToken = () => new Float32Array(ids.length);
        const weights = perToken().fill(1, watched + 1, watched + 1 + counted);
        const advantages = perToken();
        advantages[watched + 1] = advantage;
        const logprobs = perToken();
        for (let t = 1; t < ids.length; t++) logprobs[t] = current[t - 1]! + (t === watched + 1 ? sampled : 0);
        const anchors = reference === undefined ? {} : { reference: logprobs.map((x) => x + reference) };
        const inputs = { logprobs, advantages, ...anchors, ...(mask ? { weights } : {}) };
        return wireDatum({ tokens: Int32Array.from(ids), weights }, inputs);
      });
      const input: LossInput = { data, loss_fn: loss, ...(config ? { loss_fn_config: config } : {}) };
      const fields = { forward_backward_input: input };
      await call('forward_backward', fields, readNothing);
      if (!twice) return;
      seq--;
      await call('forward_backward', fields, readNothing);
    },
    step: (adam = {}) =>
      call('optim_step', { adam_params: { ...ADAM, ...adam }, type: 'optim_step' }, (result) => result),
    async publish() {
      const { nextSampler } = await session.current();
      const fields = { sampling_session_seq_id: nextSampler(), type: 'save_weights_for_sampler' };
      const { sessionId, path } = await call('save_weights_for_sampler', fields, readPublished);
      return sessionId ?? openSamplingSession(parts, { model_path: path! }, {});
    },
    sample(sampling_session_id, prompt, params, more) {
      const body = {
        sampling_session_id,
        seq_id: samples++,
        num_samples: 1,
        prompt: { chunks: [{ type: 'encoded_text', tokens: [...prompt] }] },
        // An empty list of stops: the samples are to be as long as they may be.
        sampling_params: { top_k: -1, top_p: 1, stop: [], ...params },
        type: 'sample',
        ...more,
      };
      return server.future('asample', body, (result) => result);
    },
    async unload() {
      await server.tell('unload_model', { model_id, type: 'unload_model' }).catch(() => {});
    },
  };
}

const ADAM = { learning_rate: 0.01, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0, grad_clip_norm: 0 };
