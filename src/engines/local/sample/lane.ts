/**
 * Continuous batching for groups of one width under one set of weights. A group is the rows of one request, which share
 * their prompt's keys and values; rows leave when they stop, groups when all their rows have, and new ones take the place.
 */
import type { Feed, GraphSession } from '../graph/session.ts';
import type { ModelConfig } from '../model/config.ts';
import { EMPTY, KvCache, type Prompt } from './kv-cache.ts';
import type { Row } from './row.ts';

export interface Group {
  /** Ids of the prompt; the last one is fed by the first step. */
  prompt: Int32Array;
  /** At most as many as the lane is wide. */
  rows: readonly Row[];
}

export interface LaneOptions {
  config: ModelConfig;
  /** Slots of a group. */
  width: number;
  decode: GraphSession;
  weights: Readonly<Record<string, Feed>>;
  maxRows: number;
}

interface Active {
  row: Row;
  slot: number;
  /** Where the cache takes its next keys and values. */
  place: number;
  group: Group;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #groups: Group[] = [];
  /** Prompts that several rows share; a row that shares with nobody has its prompt before what it wrote. */
  readonly #prefix: KvCache | null;
  readonly #suffix: KvCache;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#prefix = options.width > 1 ? new KvCache(options.config) : null;
    this.#suffix = new KvCache(options.config);
  }

  get empty(): boolean {
    return this.#groups.length === 0;
  }

  get full(): boolean {
    return (this.#groups.length + 1) * this.#options.width > Math.max(this.#options.maxRows, this.#options.width);
  }

  /** Gives a group its place; its prompt is loaded before the next step. */
  admit(group: Group): void {
    this.#groups.push(group);
  }

  /** Keys and values of all tokens of the prompt but the last. Makes room for all groups at once. */
  load(group: Group, prompt: Prompt): void {
    const { width } = this.#options;
    const block = this.#groups.indexOf(group);
    const slots = this.#groups.length * width;
    if (!this.#prefix) {
      // Two blocks at least: see rowFeeds.
      this.#suffix.reserve(Math.max(2, slots), prompt.count + 1);
      this.#suffix.load(block, prompt);
      return;
    }
    this.#prefix.reserve(this.#groups.length, prompt.count);
    this.#prefix.load(block, prompt);
    this.#suffix.reserve(slots, 1);
    for (let slot = block * width; slot < (block + 1) * width; slot++) this.#suffix.load(slot, EMPTY);
  }

  /** Drops a group before it is done. */
  remove(group: Group): void {
    const block = this.#groups.indexOf(group);
    if (block === -1) return;
    const { width } = this.#options;
    const last = this.#groups.length - 1;
    this.#prefix?.move(last, block);
    for (let slot = 0; slot < width; slot++) this.#suffix.move(last * width + slot, block * width + slot);
    this.#groups[block] = this.#groups[last]!;
    this.#groups.pop();
  }

  /** One token for every row that has not stopped. Returns the groups that are done with it. */
  async step(): Promise<Group[]> {
    const active = this.#active();
    if (active.length > 0) await this.#decode(active);
    const done = this.#groups.filter((group) => group.rows.every((row) => row.stop !== null));
    for (const group of done) this.remove(group);
    return done;
  }

  #active(): Active[] {
    return this.#groups.flatMap((group, block) =>
      group.rows.flatMap((row, index) => {
        if (row.stop !== null) return [];
        const written = row.tokens.length;
        const place = this.#prefix ? written : group.prompt.length - 1 + written;
        return [{ row, group, slot: block * this.#options.width + index, place }];
      }),
    );
  }

  async #decode(active: readonly Active[]): Promise<void> {
    const { config, decode, weights, width } = this.#options;
    this.#suffix.reserve(0, Math.max(...active.map(({ place }) => place + 1)));
    const rows = active.length === 1 ? [active[0]!, active[0]!] : active;
    const slots = this.#groups.length * width;
    const results = await decode.run({
      ...weights,
      ...rowFeeds(rows),
      ...(this.#prefix
        ? {
            ...slotFeeds(rows, slots),
            ...this.#prefix.feeds('prefix', this.#groups.length),
            ...this.#suffix.feeds('suffix', slots),
          }
        : this.#suffix.feeds('suffix', rows.length)),
    });
    this.#suffix.append(active, results.kv!.data as Float32Array);
    const p = results.p!.data as Float32Array;
    const tempered = results.tempered!.data as Float32Array;
    const { vocabulary } = config;
    for (const [index, { row }] of active.entries()) {
      const [from, to] = [index * vocabulary, (index + 1) * vocabulary];
      row.take(p.subarray(from, to), tempered.subarray(from, to));
    }
  }
}

/**
 * The inputs of each row. A lone row is fed twice: a matrix of a single row takes another path through the kernels, whose
 * last bits differ, and a row must not depend on being alone.
 */
function rowFeeds(rows: readonly Active[]): Record<string, Feed> {
  const dims = [rows.length, 1];
  return {
    tokens: { data: column(rows, ({ row, group }) => row.tokens.at(-1) ?? group.prompt.at(-1)!), dims },
    positions: { data: column(rows, ({ row, group }) => group.prompt.length - 1 + row.tokens.length), dims },
    inverseTemperature: { data: Float32Array.from(rows, ({ row }) => row.inverseTemperature), dims },
  };
}

/** Which row sits in which slot. */
function slotFeeds(rows: readonly Active[], slots: number): Record<string, Feed> {
  const slotRow = new BigInt64Array(slots);
  for (const [index, { slot }] of rows.entries()) slotRow[slot] = BigInt(index);
  return {
    slotRow: { data: slotRow, dims: [slots] },
    rowSlot: { data: column(rows, ({ slot }) => slot), dims: [rows.length] },
  };
}

function column(rows: readonly Active[], f: (row: Active) => number): BigInt64Array {
  return BigInt64Array.from(rows, (row) => BigInt(f(row)));
}
