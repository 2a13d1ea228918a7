/** The sessions that sampling runs, made when first needed. */
import type { Graph } from '../graph/graph.ts';
import { disposeSessions, type Feed, GraphSession, type SessionOptions } from '../graph/session.ts';
import type { LoraConfig, ModelConfig } from '../model/config.ts';
import { modelLayout } from '../model/layout.ts';

export interface ServedModel {
  /** Equal keys mean equal weights. */
  key: string;
  config: ModelConfig;
  lora?: LoraConfig | undefined;
  weights: Readonly<Record<string, Feed>>;
}

/**
 * Up to this many parameters a model's weights are built into its sessions: a step is up to a third faster, and a version
 * takes milliseconds to build and is in memory once more. Adapters are not worth it, since the base would be there per
 * version. It depends on nothing else: the last bits of the two differ.
 */
const BUILT_IN = 16e6;
/** Versions whose sessions stay when nobody samples from them: the two players'. */
const KEPT_VERSIONS = 2;

export class ServeSessions implements AsyncDisposable {
  readonly #options: SessionOptions;
  /** By version for weights that are built in, least recently used first; the others fit all versions of a model. */
  readonly #versions = new Map<string, Map<string, Promise<GraphSession>>>();
  readonly #general = new Map<string, Promise<GraphSession>>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get(kind: string, model: ServedModel, graph: () => Graph): Promise<GraphSession> {
    const builtIn = !model.lora && modelLayout(model.config).parameters <= BUILT_IN;
    const sessions = builtIn ? this.#ofVersion(model.key) : this.#general;
    const key = `${kind} ${JSON.stringify([model.config, model.lora])}`;
    let session = sessions.get(key);
    if (!session) {
      session = GraphSession.create(graph(), this.#options, builtIn ? model.weights : {});
      sessions.set(key, session);
    }
    return session;
  }

  #ofVersion(version: string): Map<string, Promise<GraphSession>> {
    const sessions = this.#versions.get(version) ?? new Map<string, Promise<GraphSession>>();
    this.#versions.delete(version);
    this.#versions.set(version, sessions);
    return sessions;
  }

  /** Lets go of old versions, except those in use. */
  async trim(inUse: (version: string) => boolean): Promise<void> {
    for (const [version, sessions] of [...this.#versions]) {
      if (this.#versions.size <= KEPT_VERSIONS) return;
      if (inUse(version)) continue;
      this.#versions.delete(version);
      await disposeSessions(sessions.values());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await disposeSessions([this.#general, ...this.#versions.values()].flatMap((sessions) => [...sessions.values()]));
  }
}
