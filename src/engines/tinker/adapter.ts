/**
 * An adapter on a server that may forget it. What was trained since the last checkpoint is kept here as requests: where it
 * is unclear what the server holds, a new model is made, the checkpoint loaded and the requests sent again. So whatever
 * happens in between, nothing is trained twice and nothing is lost.
 */
import { EngineStopped } from '../../core/engine.ts';
import type { AdamParams, LoraConfig, LossInput } from '../../wire/messages.ts';
import { readModelId, readNothing, readPublished, readSaved, type Saved } from './answers.ts';
import { uniqueName } from './checkpoint-name.ts';
import { Fault, type FaultKind } from './fault.ts';
import type { Asking, Server } from './server.ts';
import type { Session } from './session.ts';

/** A request that changes the adapter. */
type Change = { path: 'forward_backward'; input: LossInput } | { path: 'optim_step'; adam: AdamParams };

export interface AdapterParts {
  server: Server;
  session: Session;
  base: string;
  rank: number;
  seed: number;
  /** Whether the server answers a repeated training request with its first result. */
  dedupes: boolean;
  /** For messages and the server's own lists. */
  label: string;
}

interface Live {
  sessionId: string;
  modelId: string;
  /** Of the last request; counts from 1. */
  seq: number;
}

/** After these another model, built like this one, may do better. */
const REBUILDS: ReadonlySet<FaultKind> = new Set(['lost', 'conflict', 'failed', 'badAnswer']);
const MOST_REBUILDS = 5;

export class Adapter {
  readonly #parts: AdapterParts;
  #live: Live | undefined;
  #origin: string | undefined;
  #changes: Change[] = [];
  #version = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: AdapterParts) {
    this.#parts = parts;
  }

  /** Changes whenever the weights do: a sampler of an older one is stale. */
  get version(): number {
    return this.#version;
  }

  /** The training requests since the last checkpoint, as text: what makes these weights different from those. */
  get changes(): readonly unknown[] {
    return this.#changes;
  }

  forward<T>(input: LossInput, read: (result: unknown) => T, signal?: AbortSignal): Promise<T> {
    return this.#exclusive(() =>
      this.#withModel((live) => this.#call(live, 'forward', { forward_input: input }, read, { signal }), signal),
    );
  }

  forwardBackward<T>(input: LossInput, read: (result: unknown) => T, signal?: AbortSignal): Promise<T> {
    return this.#change({ path: 'forward_backward', input }, read, signal);
  }

  optimStep<T>(adam: AdamParams, read: (result: unknown) => T): Promise<T> {
    return this.#change({ path: 'optim_step', adam }, read);
  }

  /** Names are not reused: some servers refuse one that is taken, and a repeated save is a save. */
  save(name: string): Promise<Saved> {
    return this.#exclusive(async () => {
      const fields = () => ({ path: uniqueName(name), type: 'save_weights' });
      const saved = await this.#withModel((live) => this.#call(live, 'save_weights', fields(), readSaved, {}));
      this.#origin = saved.path;
      // Gradients that wait for their step are in no checkpoint.
      this.#changes = this.#changes.slice(this.#changes.findLastIndex(({ path }) => path === 'optim_step') + 1);
      return saved;
    });
  }

  load(path: string): Promise<void> {
    return this.#exclusive(async () => {
      await this.#drop();
      this.#origin = path;
      this.#changes = [];
      this.#version++;
      await this.#withModel(async () => {});
    });
  }

  /** Freezes the weights to sample from; returns the sampling session and the session it lives in. */
  publish(signal?: AbortSignal): Promise<string> {
    const { session } = this.#parts;
    return this.#exclusive(() =>
      this.#withModel(async (live) => {
        const asking = { signal };
        const open = await session.current(asking);
        const fields = { sampling_session_seq_id: open.nextSampler(), type: 'save_weights_for_sampler' };
        const { sessionId, path } = await this.#call(live, 'save_weights_for_sampler', fields, readPublished, asking);
        if (sessionId !== undefined) return sessionId;
        return openSamplingSession(this.#parts, { model_path: path! }, asking);
      }, signal),
    );
  }

  /** Frees the server's memory; to fail at that is no failure of the run. */
  dispose(): Promise<void> {
    return this.#exclusive(() => this.#drop());
  }

  #change<T>(change: Change, read: (result: unknown) => T, signal?: AbortSignal): Promise<T> {
    return this.#exclusive(() =>
      this.#withModel(async (live) => {
        const result = await this.#submit(live, change, read, { signal });
        this.#changes.push(change);
        this.#version++;
        return result;
      }, signal),
    );
  }

  #call<T>(live: Live, path: string, fields: object, read: (result: unknown) => T, asking: Asking): Promise<T> {
    const ids = { model_id: live.modelId, seq_id: ++live.seq };
    return this.#parts.server.future(path, { ...ids, ...fields }, read, asking);
  }

  #submit<T>(live: Live, change: Change, read: (result: unknown) => T, asking: Asking): Promise<T> {
    const fields =
      change.path === 'forward_backward'
        ? { forward_backward_input: change.input }
        : { adam_params: change.adam, type: 'optim_step' };
    return this.#call(live, change.path, fields, read, { ...asking, once: !this.#parts.dedupes });
  }

  /** Runs on a model that is known to be whole. Any failure makes it one that is not. */
  async #withModel<T>(work: (live: Live) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { server, label } = this.#parts;
    for (let rebuilds = 0; ; rebuilds++) {
      try {
        this.#live ??= await this.#build({ signal });
        return await work(this.#live);
      } catch (error) {
        const left = this.#live;
        this.#live = undefined;
        if (!(error instanceof Fault)) throw error;
        if (!REBUILDS.has(error.kind) || rebuilds >= MOST_REBUILDS) throw server.stopped(error);
        server.notice('rebuilt', `${label} is made anew on ${server.url}: ${error.message}.`);
        if (left && error.kind !== 'lost') this.#unload(left);
        await server.pause(rebuilds + 1, { signal });
      }
    }
  }

  async #build(asking: Asking): Promise<Live> {
    const { server, session, base, rank, seed, label } = this.#parts;
    const open = await session.current(asking);
    const create = {
      session_id: open.id,
      model_seq_id: open.nextModel(),
      base_model: base,
      ...loraConfig(rank, seed),
      user_metadata: { player: label },
      type: 'create_model',
    };
    let modelId: string;
    try {
      modelId = await server.future('create_model', create, readModelId, asking);
    } catch (error) {
      if (error instanceof Fault && error.kind === 'lost') session.lost(open.id);
      throw error;
    }
    const live: Live = { sessionId: open.id, modelId, seq: 0 };
    try {
      if (this.#origin !== undefined) {
        const load = {
          model_id: modelId,
          path: this.#origin,
          optimizer: true,
          seq_id: ++live.seq,
          type: 'load_weights',
        };
        // Only as a first request: where one may have arrived and may not, the next model is loaded instead.
        await server.future('load_weights', load, readNothing, { ...asking, once: true });
      }
      for (const change of this.#changes) await this.#submit(live, change, readNothing, asking);
    } catch (error) {
      this.#unload(live);
      throw error;
    }
    return live;
  }

  async #drop(): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    if (live) await this.#unload(live);
  }

  /** Best effort: a model that stays behind costs memory, no result. */
  async #unload({ modelId }: Live): Promise<void> {
    const { server } = this.#parts;
    await server.tell('unload_model', { model_id: modelId, type: 'unload_model' }).catch(() => {});
  }

  /** Requests go out in the order they were made, each after the answer to the one before. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => {});
    return run;
  }
}

/**
 * All projections, and not the unembedding: what it is where nothing is said differs between servers, and not every one
 * samples with an adapter there. At rank 0 the whole model is trained, where a server can.
 */
export const loraConfig = (rank: number, seed: number): { lora_config?: LoraConfig } =>
  rank > 0 ? { lora_config: { rank, seed, train_attn: true, train_mlp: true, train_unembed: false } } : {};

/** A session to sample a base model or a saved one from. */
export async function openSamplingSession(
  { server, session }: Pick<AdapterParts, 'server' | 'session'>,
  of: { base_model: string } | { model_path: string },
  asking: Asking,
): Promise<string> {
  const open = await session.current(asking);
  const ids = { session_id: open.id, sampling_session_seq_id: open.nextSampler() };
  try {
    const answer = await server.post(
      'create_sampling_session',
      { ...ids, ...of, type: 'create_sampling_session' },
      asking,
    );
    const { sampling_session_id } = (answer ?? {}) as { sampling_session_id?: unknown };
    if (typeof sampling_session_id === 'string') return sampling_session_id;
    throw new EngineStopped(`The server ${server.url} opened a sampling session without naming it.`);
  } catch (error) {
    if (error instanceof Fault && error.kind === 'lost') session.lost(open.id);
    throw error;
  }
}
