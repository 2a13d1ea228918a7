/** Takes sampling jobs for any number of models, reads their prompts, and advances all lanes one token at a time. */
import type { Feed, SessionOptions } from '../graph/session.ts';
import { decodeGraph, prefillGraph } from '../model/serve-graph.ts';
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
    for (const pending of [...this.#waiting]) await this.#guard([pending], () => this.#admit(pending));
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

  async #admit(pending: Pending): Promise<void> {
    const { job, rows } = pending;
    const width = Math.min(MAX_WIDTH, 2 ** Math.ceil(Math.log2(job.n)));
    const lane = await this.#lane(job.model, width);
    if (lane.full) return;
    this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    const planes = await this.#prefill(job);
    pending.lane = lane;
    for (let first = 0; first < rows.length; first += width) {
      const group = { prompt: job.prompt, rows: rows.slice(first, first + width) };
      pending.groups.push(group);
      this.#running.set(group, pending);
      lane.admit(group, planes);
    }
    pending.remaining = pending.groups.length;
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

  async #prefill({ model, prompt }: SampleJob): Promise<Float32Array[]> {
    // The last token of the prompt is fed by the first decoding step. Two tokens at least: see rowFeeds in lane.ts.
    const count = prompt.length - 1;
    if (count === 0) return [];
    const length = Math.max(2, count);
    const ids = (f: (t: number) => number): Feed => ({
      data: BigInt64Array.from({ length }, (_, t) => BigInt(f(t))),
      dims: [1, length],
    });
    const session = await this.#sessions.get('prefill', model, () => prefillGraph(model.config, model.lora));
    const results = await session.run({
      ...model.weights,
      tokens: ids((t) => prompt[Math.min(t, count - 1)]!),
      positions: ids((t) => t),
      segments: ids((t) => (t < count ? 0 : 1)),
    });
    const { layers, kvHeads, headWidth } = model.config;
    const plane = (name: string) => trimmed(results[name]!.data as Float32Array, { kvHeads, length, count, headWidth });
    return ['k', 'v'].flatMap((kind) => Array.from({ length: layers }, (_, layer) => plane(`${kind}${layer}`)));
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

/** Drops the padding behind each head's tokens. */
function trimmed(
  data: Float32Array,
  { kvHeads, length, count, headWidth }: { kvHeads: number; length: number; count: number; headWidth: number },
): Float32Array {
  if (length === count) return data;
  const out = new Float32Array(kvHeads * count * headWidth);
  for (let head = 0; head < kvHeads; head++) {
    const from = head * length * headWidth;
    out.set(data.subarray(from, from + count * headWidth), head * count * headWidth);
  }
  return out;
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
