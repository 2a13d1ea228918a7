/** Who is here: sessions, kept by signs of life, and the models and samplers that go with them. */
import { randomUUID } from 'node:crypto';
import type { CallOrder } from './call-order.ts';
import type { AdapterOptions, HostModel, HostSampler } from './host.ts';
import type { ServerLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

export interface Session {
  id: string;
  seen: number;
  /** Tickets by the client's own numbers, for clients that ask twice. */
  created: Map<string, string>;
}

export interface ServedModel {
  id: string;
  session: string;
  base: string;
  /** Null where the whole model is trained. */
  adapter: AdapterOptions | null;
  model: HostModel;
  order: CallOrder;
  /** Whether anything was asked of it yet. */
  untouched: boolean;
  /** Why the gradient is not what the client thinks it is. */
  spoilt: string | null;
}

export interface ServedSampler {
  id: string;
  session: string;
  base: string;
  path: string | null;
  /** Null when let go; `reopen` gets it back, where it lies on disk. */
  held: Promise<HostSampler> | null;
  reopen: (() => Promise<HostSampler>) | null;
  /** Free of cost: the base itself. */
  shared: boolean;
  inUse: number;
  tickets: Map<number, string>;
}

/** Numbers remembered for clients that ask twice. */
const REMEMBERED = 8192;

export class Sessions {
  readonly #limits: ServerLimits;
  readonly #sessions = new Map<string, Session>();
  readonly #models = new Map<string, ServedModel>();
  /** The longest unused first. */
  readonly #samplers = new Map<string, ServedSampler>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  get counts(): { sessions: number; models: number; samplers: number } {
    return { sessions: this.#sessions.size, models: this.#models.size, samplers: this.#samplers.size };
  }

  open(): Session {
    if (this.#sessions.size >= this.#limits.sessions)
      throw new Refusal(429, `${this.#sessions.size} sessions are open, which is the most this server holds.`);
    const session = { id: randomUUID(), seen: Date.now(), created: new Map<string, string>() };
    this.#sessions.set(session.id, session);
    return session;
  }

  /** The session, which has just shown a sign of life. */
  get(id: string): Session {
    const session = this.#sessions.get(id);
    if (!session)
      throw new Refusal(404, 'There is no such session: it ended without heartbeats, or the server was started again.');
    session.seen = Date.now();
    return session;
  }

  addModel(model: ServedModel): void {
    this.#models.set(model.id, model);
  }

  checkRoomForModel(): void {
    if (this.#models.size >= this.#limits.models)
      throw new Refusal(
        400,
        `${this.#models.size} models are loaded, which is the most this server holds (--max-models): unload one.`,
      );
  }

  model(id: string): ServedModel {
    const model = this.#models.get(id);
    if (!model)
      throw new Refusal(
        404,
        `There is no model ${id}: it was unloaded, its session ended, or the server was started again.`,
      );
    this.get(model.session);
    return model;
  }

  addSampler(sampler: Omit<ServedSampler, 'id' | 'inUse' | 'tickets'>): ServedSampler {
    const added = { ...sampler, id: randomUUID(), inUse: 0, tickets: new Map<number, string>() };
    this.#samplers.set(added.id, added);
    void this.#letGo();
    return added;
  }

  sampler(id: string): ServedSampler {
    const sampler = this.#samplers.get(id);
    if (!sampler)
      throw new Refusal(404, 'There is no such sampling session: its session ended, or the server was started again.');
    this.get(sampler.session);
    return sampler;
  }

  /** The weights for as long as the work takes. */
  async withSampler<T>(sampler: ServedSampler, work: (held: HostSampler) => Promise<T>): Promise<T> {
    this.#samplers.delete(sampler.id);
    this.#samplers.set(sampler.id, sampler);
    sampler.inUse++;
    try {
      return await work(await this.#held(sampler));
    } finally {
      sampler.inUse--;
      await this.#letGo();
    }
  }

  async #held(sampler: ServedSampler): Promise<HostSampler> {
    sampler.held ??= this.#reopen(sampler);
    try {
      return await sampler.held;
    } catch (error) {
      // What failed once may succeed the next time.
      sampler.held = null;
      throw error;
    }
  }

  remember(tickets: Map<number, string>, seq: number, ticket: string): void {
    tickets.set(seq, ticket);
    if (tickets.size > REMEMBERED) tickets.delete(tickets.keys().next().value!);
  }

  async #reopen({ reopen }: ServedSampler): Promise<HostSampler> {
    if (!reopen) {
      throw new Refusal(
        410,
        `These weights were let go: this server holds the latest ${this.#limits.samplers} (--max-samplers). Save them under a path to keep them.`,
      );
    }
    return reopen();
  }

  /** Lets go of the longest unused weights beyond the limit. */
  async #letGo(): Promise<void> {
    const costly = [...this.#samplers.values()].filter(({ shared, held }) => held && !shared);
    let extra = costly.length - this.#limits.samplers;
    for (const sampler of costly) {
      if (extra <= 0) return;
      if (sampler.inUse > 0) continue;
      const held = sampler.held!;
      sampler.held = null;
      extra--;
      await release(held);
    }
  }

  async unload(id: string): Promise<void> {
    const model = this.#models.get(id);
    if (!model) return;
    this.#models.delete(id);
    await model.order.close(new Refusal(404, `Model ${id} was unloaded.`));
    await model.model.unload();
  }

  /** Ends sessions that went quiet, with all they hold. */
  async endQuiet(now: number = Date.now()): Promise<void> {
    for (const { id, seen } of this.#sessions.values()) if (now - seen > this.#limits.sessionMs) await this.end(id);
  }

  async endAll(): Promise<void> {
    for (const id of [...this.#sessions.keys()]) await this.end(id);
  }

  async end(id: string): Promise<void> {
    this.#sessions.delete(id);
    for (const model of this.#models.values()) if (model.session === id) await this.unload(model.id);
    for (const sampler of this.#samplers.values()) {
      if (sampler.session !== id) continue;
      this.#samplers.delete(sampler.id);
      if (sampler.held) await release(sampler.held);
    }
  }
}

/** What never came to be needs no release, and what an engine that is gone held is gone with it. */
async function release(held: Promise<HostSampler>): Promise<void> {
  await held.then((sampler) => sampler.release()).catch(() => {});
}
