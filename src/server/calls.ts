/** Every call of the protocol, from a checked message to an answer. HTTP is elsewhere. */
import { hashText } from '../core/hash.ts';
import type * as m from '../wire/messages.ts';
import type { CallName, RequestOf } from '../wire/requests.ts';
import { adapterOf, switchesOf } from './adapter.ts';
import { CallOrder } from './call-order.ts';
import { adapterIn, CheckpointFolder } from './checkpoint-folder.ts';
import { Futures, type Outcome } from './futures.ts';
import type { HostBase, ModelHost } from './host.ts';
import type { ServerLimits } from './limits.ts';
import { Refusal } from './refusal.ts';
import { sampleWith } from './sampling.ts';
import { type ServedModel, type ServedSampler, Sessions } from './sessions.ts';
import { trainingCalls } from './training.ts';

export interface CallsOptions {
  engine: ModelHost;
  limits: ServerLimits;
  /** Folder of checkpoints. */
  checkpoints: string;
  /** Where a client on this machine finds a base's tokenizer. */
  tokenizerOf: (base: string) => string | undefined;
  onError: (error: unknown) => void;
}

/** What a call answers at once. */
type Answer = Readonly<Record<string, unknown>>;
type Handlers = { [K in Exclude<CallName, 'retrieve_future'>]: (request: RequestOf<K>) => Answer | Promise<Answer> };

export interface Calls extends Handlers {
  readonly sessions: Sessions;
  readonly futures: Futures;
  readonly checkpoints: CheckpointFolder;
  capabilities(): m.ServerCapabilities;
  samplerInfo(id: string): Answer;
  /** A model's call that was refused before it got a ticket: those behind it need not wait. */
  refused(modelId: unknown, seq: unknown): void;
}

export function createCalls(start: string, options: CallsOptions): Calls {
  const { engine, limits, tokenizerOf, onError } = options;
  const futures = new Futures(start, { ...limits, onError });
  const sessions = new Sessions(limits);
  const checkpoints = new CheckpointFolder(options.checkpoints);
  const training = trainingCalls({ sessions, checkpoints });

  const baseOf = (name: string): HostBase => {
    const base = engine.bases.find((one) => one.name === name);
    if (base) return base;
    throw new Refusal(
      400,
      `base_model "${name}" is not served here (there are: ${engine.bases.map((b) => b.name).join(', ')}).`,
    );
  };

  /** A call in its model's order: the same ticket when it comes again. */
  function inOrder(call: string, { model_id, seq_id }: m.ModelCall, prepare: (served: ServedModel) => Work): Answer {
    const served = sessions.model(model_id);
    const known = served.order.known(seq_id, call);
    if (known !== null) return { request_id: known, model_id };
    futures.checkRoom();
    const work = prepare(served);
    return { request_id: served.order.submit(seq_id, call, work), model_id };
  }

  /** A call by the client's own number within its session. */
  function once(sessionId: string, number: string, work: () => string): string {
    const { created } = sessions.get(sessionId);
    const known = created.get(number);
    if (known !== undefined) return known;
    const made = work();
    created.set(number, made);
    return made;
  }

  function createModel({ session_id, model_seq_id, base_model, lora_config }: m.CreateModelRequest): string {
    baseOf(base_model);
    sessions.checkRoomForModel();
    futures.checkRoom();
    const adapter = lora_config ? adapterOf(lora_config) : null;
    const id = `${session_id}:train:${model_seq_id}`;
    const served: ServedModel = {
      id,
      session: session_id,
      base: base_model,
      adapter,
      model: engine.create(id, base_model, adapter ?? undefined),
      order: new CallOrder(futures, limits.gapMs),
      untouched: true,
      spoilt: null,
    };
    sessions.addModel(served);
    return futures.open(async () => plain({ type: 'create_model', model_id: id }));
  }

  function samplingSession(request: m.CreateSamplingSessionRequest & { found: Found | null }): string {
    const { session_id, base_model, model_path, found } = request;
    const common = { session: session_id, inUse: 0 };
    if (!found) {
      const { name } = baseOf(base_model!);
      const held = Promise.resolve(engine.sampler(name));
      return sessions.addSampler({ ...common, base: name, path: null, held, reopen: null, shared: true }).id;
    }
    const { folder, name, note } = found;
    const adapter = adapterIn(note) ?? undefined;
    baseOf(note.base_model);
    const reopen = () => engine.open({ folder, name, base: note.base_model, adapter });
    const sampler = { ...common, base: note.base_model, path: model_path ?? null, held: null, reopen, shared: false };
    return sessions.addSampler(sampler).id;
  }

  return {
    sessions,
    futures,
    checkpoints,
    capabilities: () => ({
      supported_models: engine.bases.map(({ name, config }) => ({
        model_name: name,
        max_context_length: config.context,
        trainable: true,
        sampleable: true,
      })),
    }),
    samplerInfo(id) {
      const { base, path } = sessions.sampler(id);
      return { sampler_id: id, base_model: base, model_path: path };
    },
    refused(modelId, seq) {
      if (typeof modelId !== 'string' || !Number.isInteger(seq)) return;
      try {
        sessions.model(modelId).order.skip(seq as number);
      } catch {
        // No such model: nobody waits.
      }
    },

    'client/config': () => ({}),
    create_session: () => ({ type: 'create_session', session_id: sessions.open().id }),
    session_heartbeat: ({ session_id }) => {
      sessions.get(session_id);
      return { type: 'session_heartbeat' };
    },
    create_model: (request) => ({
      request_id: once(request.session_id, `model ${request.model_seq_id}`, () => createModel(request)),
    }),
    forward: (request) => inOrder('forward', request, training.forward(request)),
    forward_backward: (request) => inOrder('forward_backward', request, training.forwardBackward(request)),
    optim_step: (request) => inOrder('optim_step', request, training.optimStep(request)),
    save_weights: (request) => inOrder('save_weights', request, training.save(request)),
    load_weights: (request) => inOrder('load_weights', request, training.load(request)),
    save_weights_for_sampler: (request) =>
      inOrder('save_weights_for_sampler', request, training.saveForSampler(request)),
    create_sampling_session: async (request) => {
      const { base_model, model_path } = request;
      if ((base_model == null) === (model_path == null))
        throw new Refusal(400, 'create_sampling_session takes either base_model or model_path.');
      const found = model_path == null ? null : await checkpoints.find(model_path);
      const number = `sampler ${request.sampling_session_seq_id}`;
      const id = once(request.session_id, number, () => samplingSession({ ...request, found }));
      return { type: 'create_sampling_session', sampling_session_id: id };
    },
    asample: (request) => {
      const sampler = sessions.sampler(request.sampling_session_id);
      const known = sampler.tickets.get(request.seq_id);
      if (known !== undefined) return sampleTicket(known, request);
      futures.checkRoom();
      const asked = sampleWith(request, baseOf(sampler.base), seedOf(sampler, request));
      const ticket = futures.open((signal) => sessions.withSampler(sampler, (held) => asked(held, signal)));
      sessions.remember(sampler.tickets, request.seq_id, ticket);
      return sampleTicket(ticket, request);
    },
    get_info: ({ model_id }) => {
      const { base, adapter } = sessions.model(model_id);
      return {
        type: 'get_info',
        model_id,
        model_name: base,
        is_lora: adapter !== null,
        lora_rank: adapter?.rank ?? null,
        model_data: { arch: 'decoder', model_name: base, tokenizer_id: tokenizerOf(base) ?? null },
      };
    },
    unload_model: ({ model_id }) => {
      sessions.model(model_id);
      futures.checkRoom();
      const work = async () => {
        await sessions.unload(model_id);
        return plain({ type: 'unload_model', model_id });
      };
      return { request_id: futures.open(work), model_id };
    },
    weights_info: async ({ tinker_path }) => {
      const { note } = await checkpoints.find(tinker_path);
      const adapter = adapterIn(note);
      return {
        base_model: note.base_model,
        is_lora: adapter !== null,
        lora_rank: adapter?.rank ?? null,
        ...(adapter ? switchesOf(adapter) : {}),
      };
    },
  };
}

type Work = (signal: AbortSignal) => Promise<Outcome>;
type Found = Awaited<ReturnType<CheckpointFolder['find']>>;

const plain = (value: Answer): Outcome => ({ kind: 'plain', value });

/** The official client wants a name for every sample, before there is one. */
const sampleTicket = (request_id: string, { num_samples }: m.SampleRequest): Answer => ({
  request_id,
  sample_sequence_ids: Array.from({ length: num_samples }, (_, i) => `${request_id}.${i}`),
});

/** Without a seed of its own, a request's place decides: the same call twice is the same sample. */
function seedOf({ id }: ServedSampler, { seq_id, sampling_params }: m.SampleRequest): number {
  return sampling_params.seed ?? hashText(`${id} ${seq_id}`)[0] >>> 0;
}
