/** A Tinker server in a few lines over a table of logits, with the quirks of the real ones: for tests of the client. */
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRng } from '../../core/rng.ts';
import {
  type Adam,
  accumulate,
  adamStep,
  copyWeights,
  distribution,
  freshWeights,
  PLAIN,
  type Quirks,
  type Weights,
} from './fake-model.ts';

/** Every field that some call reads; each call is sent its own. */
interface Body {
  session_id: string;
  model_id: string;
  request_id: string;
  sampling_session_id: string;
  seq_id: number;
  path: string;
  base_model: string | undefined;
  adam_params: Adam;
  forward_input: Input;
  forward_backward_input: Input;
  prompt: { chunks: { tokens: number[] }[] };
  num_samples: number;
  sampling_params: { max_tokens: number; seed: number; stop: number[]; temperature: number };
  prompt_logprobs?: boolean;
}

/** What a real server keeps on disk: it outlives a restart. */
export type Disk = Map<string, Weights>;

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: { path: string; body: Body; key: string | undefined }[];
  /** Training steps that took effect, over all models: what must not happen twice. */
  steps(): number;
  models(): number;
  /** Forgets sessions, models and futures; the disk stays. */
  restart(): void;
  quirks: Quirks;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

export async function fakeServer(
  given: Partial<Quirks> = {},
  key?: string,
  disk: Disk = new Map(),
): Promise<FakeServer> {
  const quirks = { ...PLAIN, ...given };
  let counter = 0;
  let steps = 0;
  const sessions = new Set<string>();
  const models = new Map<string, Weights>();
  const seen = new Map<string, string>();
  const samplers = new Map<string, { weights: Weights; model: string | undefined }>();
  const futures = new Map<string, { result: unknown; polls: number }>();
  const shared = freshWeights();
  const requests: FakeServer['requests'] = [];
  const modelOf = (id: string): Weights => {
    const model = models.get(id);
    if (!model) throw new Refusal(404, 'Model not found');
    return model;
  };
  const future = (result: unknown): { request_id: string } => {
    const request_id = String(++counter);
    futures.set(request_id, { result: JSON.parse(JSON.stringify(result)), polls: 0 });
    return { request_id };
  };
  const session = (id: string) => {
    if (!sessions.has(id)) throw new Refusal(404, 'Session not found');
  };

  const calls: Record<string, (body: Body) => unknown> = {
    create_session() {
      const session_id = `session-${++counter}`;
      sessions.add(session_id);
      return { session_id };
    },
    session_heartbeat({ session_id }) {
      session(session_id);
      return {};
    },
    create_model({ session_id }) {
      session(session_id);
      if (models.size >= quirks.maxModels) throw new Refusal(400, `at most ${quirks.maxModels} models`);
      const model_id = `model-${++counter}`;
      models.set(model_id, quirks.apart ? freshWeights() : shared);
      return future({ model_id });
    },
    unload_model({ model_id }) {
      modelOf(model_id);
      models.delete(model_id);
      return future({});
    },
    forward: ({ model_id, forward_input }) => future(score(modelOf(model_id), forward_input)),
    forward_backward: ({ model_id, seq_id, forward_backward_input: input }) =>
      once(model_id, seq_id, () => {
        const model = modelOf(model_id);
        const result = score(model, input);
        backward(model, input, quirks);
        return future(result);
      }),
    optim_step: ({ model_id, seq_id, adam_params }) =>
      once(model_id, seq_id, () => {
        const fixed = { beta1: 0.9, beta2: 0.999, eps: 1e-8, grad_clip_norm: 0 };
        const model = modelOf(model_id);
        if (quirks.reduction === 'stepMean')
          for (const [i, g] of model.gradient.entries()) model.gradient[i] = g / Math.max(1, model.sequences);
        const norm = adamStep(model, quirks.adam === 'all' ? adam_params : { ...adam_params, ...fixed });
        steps++;
        return future(quirks.gradNorm ? { metrics: { 'grad_norm:last': norm } } : {});
      }),
    save_weights({ model_id, path }) {
      const name = `tinker://${model_id}/weights/${path}`;
      if (disk.has(name)) throw new Refusal(409, 'exists already');
      disk.set(name, copyWeights(modelOf(model_id)));
      return future({ path: name });
    },
    load_weights({ model_id, path, seq_id }) {
      if (seq_id !== 1) throw new Refusal(400, `LoadWeights is not permitted with seq_id ${seq_id}`);
      const saved = disk.get(path);
      if (!saved) throw new Refusal(404, `Checkpoint not found: ${path}`);
      Object.assign(modelOf(model_id), copyWeights(saved));
      return future({});
    },
    save_weights_for_sampler({ model_id }) {
      const sampling_session_id = `sampling-${++counter}`;
      samplers.set(sampling_session_id, { weights: copyWeights(modelOf(model_id)), model: model_id });
      return future({ sampling_session_id });
    },
    create_sampling_session({ session_id, base_model }) {
      session(session_id);
      if (!base_model || !quirks.baseSampling) throw new Refusal(400, 'no base model here');
      const sampling_session_id = `sampling-${++counter}`;
      samplers.set(sampling_session_id, { weights: freshWeights(), model: undefined });
      return { sampling_session_id };
    },
    asample(body) {
      const sampler = samplers.get(body.sampling_session_id);
      if (!sampler) throw new Refusal(404, 'Sampling session not found');
      if (!quirks.wideSeeds && body.sampling_params.seed >= 2 ** 31) throw new Refusal(400, 'out of bounds for int32');
      const live = sampler.model === undefined ? undefined : models.get(sampler.model);
      if (live && quirks.snapshots === 'overwrites') live.table.set(sampler.weights.table);
      const weights = live && quirks.snapshots === 'latest' ? live : sampler.weights;
      return future(sample(weights, body, quirks, () => ++counter));
    },
    retrieve_future({ request_id }) {
      const kept = futures.get(request_id);
      if (!kept) throw new Refusal(404, 'Future not found');
      if (kept.polls++ < quirks.tryAgain) return { type: 'try_again', queue_state: 'active' };
      return kept.result;
    },
  };

  const once = (model: string, seq: number, run: () => { request_id: string }) => {
    const id = `${model} ${seq}`;
    const before = seen.get(id);
    if (before !== undefined && quirks.dedupes) return { request_id: before };
    const started = run();
    seen.set(id, started.request_id);
    return started;
  };

  const answer = (path: string, body: Body): unknown => {
    if (path === 'healthz') return { status: 'ok' };
    if (path === 'get_server_capabilities')
      return { supported_models: [{ model_name: 'table', max_context_length: 512 }] };
    if (path.startsWith('training_runs/')) {
      const [, model, , kind, name] = path.split('/');
      disk.delete(`tinker://${model}/${kind}/${name}`);
      return {};
    }
    const call = calls[path];
    if (!call) throw new Refusal(404, 'Not Found');
    return call(body);
  };

  const http: HttpServer = createServer(async (request, response) => {
    const path = request.url!.replace('/api/v1/', '');
    const body = await bodyOf(request);
    const sent = request.headers['x-api-key'] as string | undefined;
    requests.push({ path, body, key: sent });
    const reply = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    try {
      if (key !== undefined && sent !== key) throw new Refusal(401, `Incorrect API key provided: ${sent}`);
      reply(200, answer(path, body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reply(error.status, { detail: error.message });
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    quirks,
    steps: () => steps,
    models: () => models.size,
    restart() {
      for (const map of [models, seen, samplers, futures]) map.clear();
      sessions.clear();
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? ({} as Body) : (JSON.parse(text) as Body);
}

interface Input {
  data: { model_input: { chunks: { tokens: number[] }[] }; loss_fn_inputs: Record<string, { data: number[] }> }[];
  loss_fn: string;
  loss_fn_config?: Record<string, number>;
}

const pairs = (datum: Input['data'][number]) => {
  const before = datum.model_input.chunks.flatMap(({ tokens }) => tokens);
  return datum.loss_fn_inputs.target_tokens!.data.map((target, t) => ({ before: before[t]!, target, t }));
};

function score(weights: Weights, { data }: Input) {
  const loss_fn_outputs = data.map((datum) => {
    const logprobs = pairs(datum).map(({ before, target }) => Math.fround(distribution(weights, before)[target]!));
    return { logprobs: { data: logprobs, dtype: 'float32', shape: [logprobs.length] } };
  });
  return { loss_fn_output_type: 'TensorData', loss_fn_outputs, metrics: {} };
}

/** Coefficients first, so that every token of a request sees the same weights. */
function backward(weights: Weights, { data, loss_fn, loss_fn_config }: Input, quirks: Quirks): void {
  if (loss_fn === 'ppo' && quirks.ppo === 'refuses') throw new Refusal(400, 'no ppo here');
  const counted = (datum: Input['data'][number]) =>
    datum.loss_fn_inputs.weights?.data.filter((w) => w !== 0).length ?? datum.loss_fn_inputs.target_tokens!.data.length;
  const tokens = data.reduce((sum, datum) => sum + counted(datum), 0);
  for (const datum of data) {
    const { weights: mask, advantages, logprobs, reference } = datum.loss_fn_inputs;
    const { kl_coef = 0 } = loss_fn_config ?? {};
    if (kl_coef > 0 && !quirks.extended) throw new Refusal(400, 'Invalid loss_fn_config keys: kl_coef');
    if (mask && advantages && !quirks.mask) throw new Refusal(400, 'weights are no input of this loss');
    const own = 1 / counted(datum);
    const share = { sum: 1, requestMean: own / data.length, stepMean: own, tokenMean: 1 / tokens }[quirks.reduction];
    weights.sequences++;
    for (const { before, target, t } of pairs(datum)) {
      const w = mask?.data[t] ?? 1;
      const logp = distribution(weights, before)[target]!;
      const drift = reference ? kl_coef * w * (Math.exp(reference.data[t]! - logp) - 1) : 0;
      if (loss_fn === 'cross_entropy') {
        const credit = quirks.extended ? (advantages?.data[t] ?? 1) : 1;
        accumulate(weights, before, target, (w * credit + drift) * share);
        continue;
      }
      const ratio = Math.exp(logp - logprobs!.data[t]!);
      const a = advantages!.data[t]!;
      const { clip_low_threshold: low = 0.8, clip_high_threshold: high = 1.2 } = loss_fn_config ?? {};
      const flat = loss_fn === 'ppo' && quirks.ppo === 'clips' && (a > 0 ? ratio > high : ratio < low);
      accumulate(weights, before, target, ((flat ? 0 : w * ratio * a) + drift) * share);
    }
  }
}

function sample(weights: Weights, body: Body, quirks: Quirks, chance: () => number) {
  const { prompt, num_samples, sampling_params, prompt_logprobs } = body;
  const ids = prompt.chunks.flatMap(({ tokens }) => tokens);
  const { max_tokens, seed, stop, temperature } = sampling_params;
  const sequences = Array.from({ length: num_samples }, (_, i) => {
    const rng = createRng((quirks.seeds ? seed : chance() * 7919) + (quirks.several ? i * 65_537 : 0));
    const tokens: number[] = [];
    const logprobs: number[] = [];
    let before = ids.at(-1)!;
    while (tokens.length < max_tokens) {
      const logp = distribution(weights, before);
      const token = temperature === 0 ? logp.indexOf(Math.max(...logp)) : draw(logp, rng.next());
      tokens.push(token);
      logprobs.push(Math.fround(Math.min(0, logp[token]! + quirks.samplerBias)));
      before = token;
      if (stop.includes(token)) return { stop_reason: 'stop', tokens, logprobs };
    }
    return { stop_reason: 'length', tokens, logprobs };
  });
  if (!prompt_logprobs || quirks.promptLogprobs === 'none') return { sequences };
  const list: (number | null)[] = ids.slice(1).map((id, t) => distribution(weights, ids[t]!)[id]!);
  return { sequences, prompt_logprobs: quirks.promptLogprobs === 'full' ? [null, ...list] : list };
}

function draw(logp: readonly number[], u: number): number {
  let left = u;
  for (const [i, x] of logp.entries()) {
    left -= Math.exp(x);
    if (left < 0) return i;
  }
  return logp.length - 1;
}
