/** Takes sampling jobs for any number of models, reads their prompts, and advances all lanes one token at a time. */
import type { Feed, SessionOptions } from '../graph/session.ts';
import { decodeGraph, prefillGraph } from '../model/serve-graph.ts';
import { VECTOR } from './kv-cache.ts';
import { type Group, Lane } from './lane.ts';
import { Row, type RowOptions } from './row.ts';
import { type ServedModel, ServeSessions } from './serve-sessions.ts';

export interface SampleJob extends RowOptions {
  model: ServedModel;
  prompt: Int32Array;
  n: number;
}

interface Pending {
  job: SampleJob;
  rows: Row[];
  groups: Group[];
  lane: Lane | null;
  remaining: number;
  resolve: (rows: readonly Row[]) => void;
  reject: (reason: unknown) => void;
}

/** Widest group. Wider requests become several groups; the prompt is still read once. */
const MAX_WIDTH = 16;
/** Prompt tokens, padding included, that one run reads: enough to make its fixed cost small, few enough to stay in cache. */
const PREFILL_TOKENS = 256;

export class Batcher implements AsyncDisposable {
  readonly #maxRows: number;
  readonly #sessions: ServeSessions;
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting: Pending[] = [];
  readonly #running = new Map<Group, Pending>();
  readonly #cancelled = new Set<Pending>();

  constructor({ maxRows = 64, ...session }: { maxRows?: number } & SessionOptions = {}) {
    this.#maxRows = maxRows;
    this.#sessions = new ServeSessions(session);
  }

  get idle(): boolean {
    return this.#waiting.length === 0 && this.#running.size === 0;
  }

  /** Whether a job that is not done yet reads from this array. */
  reads(flat: Float32Array): boolean {
    const jobs = [...this.#waiting, ...this.#running.values()].map(({ job }) => job);
    return jobs.some(({ model }) => Object.values(model.weights).some(({ data }) => data.buffer === flat.buffer));
  }

  /** Resolves when some later `step` has finished the job. */
  submit(job: SampleJob, signal?: AbortSignal): Promise<readonly Row[]> {
    checkJob(job);
    return new Promise((resolve, reject) => {
      const { context } = job.model.config;
      const options = { ...job, maxTokens: Math.min(job.maxTokens, context - job.prompt.length) };
      const rows = Array.from({ length: job.n }, (_, index) => new Row(options, index));
      const pending: Pending = { job, rows, groups: [], lane: null, remaining: 0, resolve, reject };
      // Groups move when one leaves, so nobody leaves in the middle of a step.
      const abort = () => {
        this.#cancelled.add(pending);
        reject(signal?.reason);
      };
      pending.resolve = (done) => {
        signal?.removeEventListener('abort', abort);
        resolve(done);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(pending);
    });
  }

  /** Admits what fits, then advances every lane by one token. */
  async step(): Promise<void> {
    for (const pending of this.#cancelled) this.#abandon(pending, null);
    this.#cancelled.clear();
    await this.#admit();
    for (const [key, lane] of this.#lanes) {
      const inside = [...new Set(this.#running.values())].filter((pending) => pending.lane === lane);
      await this.#guard(inside, async () => {
        for (const group of await lane.step()) this.#finish(group);
      });
      if (lane.empty) this.#lanes.delete(key);
    }
    const running = new Set([...this.#running.values()].map(({ job }) => job.model.key));
    await this.#sessions.trim((version) => running.has(version));
  }

  /** Gives those that fit their places, then reads their prompts, several at once. */
  async #admit(): Promise<void> {
    const entered: Pending[] = [];
    for (const pending of [...this.#waiting]) {
      await this.#guard([pending], async () => {
        if (await this.#enter(pending)) entered.push(pending);
      });
    }
    for (const batch of promptBatches(entered)) await this.#guard(batch, () => this.#prefill(batch));
  }

  async #enter(pending: Pending): Promise<boolean> {
    const { job, rows } = pending;
    const width = Math.min(MAX_WIDTH, 2 ** Math.ceil(Math.log2(job.n)));
    const lane = await this.#lane(job.model, width);
    if (lane.full) return false;
    this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    pending.lane = lane;
    for (let first = 0; first < rows.length; first += width) {
      const group = { prompt: job.prompt, rows: rows.slice(first, first + width) };
      pending.groups.push(group);
      this.#running.set(group, pending);
      lane.admit(group);
    }
    pending.remaining = pending.groups.length;
    return true;
  }

  async #lane(model: ServedModel, width: number): Promise<Lane> {
    const key = `${width} ${model.key}`;
    const known = this.#lanes.get(key);
    if (known) return known;
    const decode = await this.#sessions.get(`decode ${width}`, model, () =>
      decodeGraph(model.config, width, model.lora),
    );
    const lane = new Lane({
      config: model.config,
      width,
      decode,
      weights: model.weights,
      maxRows: this.#maxRows,
    });
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Reads prompts of one padded length under one set of weights, all but their last tokens. */
  async #prefill(batch: readonly Pending[]): Promise<void> {
    const { model, prompt } = batch[0]!.job;
    const length = prefillLength(prompt);
    const results =
      length === 0
        ? {}
        : await this.#read(
            model,
            batch.map(({ job }) => job.prompt),
            length,
          );
    const { layers, kvHeads, headWidth } = model.config;
    const names = ['k', 'v'].flatMap((kind) => Array.from({ length: layers }, (_, layer) => `${kind}${layer}`));
    const size = kvHeads * length * headWidth;
    for (const [row, { job, groups, lane }] of batch.entries()) {
      const count = job.prompt.length - 1;
      const planes = names.flatMap((name) => results[name]?.data.subarray(row * size, (row + 1) * size) ?? []);
      for (const group of groups) lane!.load(group, { planes: planes as Float32Array[], length, count });
    }
  }

  async #read(model: ServedModel, prompts: readonly Int32Array[], length: number): Promise<Record<string, Feed>> {
    const session = await this.#sessions.get('prefill', model, () => prefillGraph(model.config, model.lora));
    const dims = [prompts.length, length];
    const ids = (f: (prompt: Int32Array, t: number) => number): Feed => ({
      data: BigInt64Array.from({ length: prompts.length * length }, (_, i) =>
        BigInt(f(prompts[Math.floor(i / length)]!, i % length)),
      ),
      dims,
    });
    return session.run({
      ...model.weights,
      tokens: ids((prompt, t) => prompt[t] ?? 0),
      // What is behind the prompt comes later than all of it, so that nothing of the prompt sees it.
      positions: ids((prompt, t) => Math.min(t, prompt.length - 1)),
      segments: ids(() => 0),
    });
  }

  #finish(group: Group): void {
    const pending = this.#running.get(group);
    this.#running.delete(group);
    if (!pending || --pending.remaining > 0) return;
    const broken = pending.rows.find((row) => row.error !== null);
    if (broken) pending.reject(broken.error);
    else pending.resolve(pending.rows);
  }

  /** A failure belongs to the jobs it happened to; the others go on. */
  async #guard(affected: readonly Pending[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const pending of affected) this.#abandon(pending, error);
    }
  }

  #abandon(pending: Pending, reason: unknown): void {
    const at = this.#waiting.indexOf(pending);
    if (at !== -1) this.#waiting.splice(at, 1);
    for (const group of pending.groups) {
      this.#running.delete(group);
      pending.lane?.remove(group);
    }
    pending.reject(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }
}

/** Tokens to read before decoding, which feeds the last one; padded as caches are, so that a row's bits depend on it alone. */
function prefillLength(prompt: Int32Array): number {
  return Math.ceil((prompt.length - 1) / VECTOR) * VECTOR;
}

/** Jobs whose prompts are read in one run. */
function promptBatches(pending: readonly Pending[]): Pending[][] {
  const open = new Map<string, Pending[]>();
  const batches: Pending[][] = [];
  for (const one of pending) {
    const length = prefillLength(one.job.prompt);
    const key = `${length} ${one.job.model.key}`;
    let batch = open.get(key);
    if (!batch || (batch.length + 1) * length > PREFILL_TOKENS) {
      batch = [];
      open.set(key, batch);
      batches.push(batch);
    }
    batch.push(one);
  }
  return batches;
}

function checkJob({ prompt, n, temperature, topP, topK, model }: SampleJob): void {
  const { context, vocabulary } = model.config;
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`n must be a whole number of samples (got ${n})`);
  if (prompt.length === 0) throw new RangeError('the prompt is empty: there is nothing to continue');
  if (prompt.length >= context) {
    throw new RangeError(`the prompt has ${prompt.length} tokens and the model's context is ${context}`);
  }
  const wrong = prompt.find((id) => id < 0 || id >= vocabulary);
  if (wrong !== undefined) throw new RangeError(`token id ${wrong} is outside the vocabulary of ${vocabulary}`);
  if (!(temperature >= 0)) throw new RangeError(`temperature must be 0 or more (got ${temperature})`);
  if (topP !== undefined && !(topP > 0 && topP <= 1)) throw new RangeError(`topP must be in (0, 1] (got ${topP})`);
  if (topK !== undefined && !(Number.isInteger(topK) && topK >= 1))
    throw new RangeError(`topK must be ≥ 1 (got ${topK})`);
}
