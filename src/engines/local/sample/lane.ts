/**
 * Continuous batching for groups of one width under one set of weights. A group is the rows of one request, which share
 * their prompt's keys and values; rows leave when they stop, groups when all their rows have, and new ones take the place.
 */
import type { Feed, GraphSession } from '../graph/session.ts';
import type { ModelConfig } from '../model/config.ts';
import { KvCache } from './kv-cache.ts';
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
  group: Group;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #groups: Group[] = [];
  readonly #prefix: KvCache;
  readonly #suffix: KvCache;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#prefix = new KvCache(options.config);
    this.#suffix = new KvCache(options.config);
  }

  get empty(): boolean {
    return this.#groups.length === 0;
  }

  get full(): boolean {
    return (this.#groups.length + 1) * this.#options.width > Math.max(this.#options.maxRows, this.#options.width);
  }

  /** `planes` are the keys of each layer, then the values, of all prompt tokens but the last. */
  admit(group: Group, planes: readonly Float32Array[]): void {
    const { width } = this.#options;
    const block = this.#groups.push(group) - 1;
    const length = group.prompt.length - 1;
    this.#prefix.reserve(block + 1, length);
    this.#prefix.load(block, planes, length);
    this.#suffix.reserve((block + 1) * width, 1);
    for (let slot = block * width; slot < (block + 1) * width; slot++) this.#suffix.load(slot, [], 0);
  }

  /** Drops a group before it is done. */
  remove(group: Group): void {
    const block = this.#groups.indexOf(group);
    if (block === -1) return;
    const { width } = this.#options;
    const last = this.#groups.length - 1;
    this.#prefix.move(last, block);
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
      group.rows.flatMap((row, index) =>
        row.stop === null ? [{ row, group, slot: block * this.#options.width + index }] : [],
      ),
    );
  }

  async #decode(active: readonly Active[]): Promise<void> {
    const { config, decode, weights, width } = this.#options;
    this.#suffix.reserve(0, Math.max(...active.map(({ row }) => row.tokens.length + 1)));
    const results = await decode.run({
      ...weights,
      ...rowFeeds(active, this.#groups.length * width),
      ...this.#prefix.feeds('prefix', this.#groups.length),
      ...this.#suffix.feeds('suffix', this.#groups.length * width),
    });
    const perRow = config.kvHeads * config.headWidth;
    for (let plane = 0; plane < 2 * config.layers; plane++) {
      const name = plane < config.layers ? `k${plane}` : `v${plane - config.layers}`;
      const source = results[name]!.data as Float32Array;
      for (const [index, { row, slot }] of active.entries()) {
        this.#suffix.write(slot, row.tokens.length, plane, source, index * perRow);
      }
    }
    const p = results.p!.data as Float32Array;
    const tempered = results.tempered!.data as Float32Array;
    const { vocabulary } = config;
    for (const [index, { row, slot }] of active.entries()) {
      this.#suffix.markFilled(slot, row.tokens.length);
      const [from, to] = [index * vocabulary, (index + 1) * vocabulary];
      row.take(p.subarray(from, to), tempered.subarray(from, to));
    }
  }
}

/**
 * The per-row inputs. One row is fed twice: a matrix of a single row takes another path through the kernels, whose last
 * bits differ, and a row must not depend on being alone.
 */
function rowFeeds(active: readonly Active[], slots: number): Record<string, Feed> {
  const rows = active.length === 1 ? [active[0]!, active[0]!] : active;
  const slotRow = new BigInt64Array(slots);
  for (const [index, { slot }] of active.entries()) slotRow[slot] = BigInt(index);
  const column = (f: (row: Active) => number): BigInt64Array => BigInt64Array.from(rows, (row) => BigInt(f(row)));
  const dims = [rows.length, 1];
  return {
    tokens: { data: column(({ row, group }) => row.tokens.at(-1) ?? group.prompt.at(-1)!), dims },
    positions: { data: column(({ row, group }) => group.prompt.length - 1 + row.tokens.length), dims },
    inverseTemperature: { data: Float32Array.from(rows, ({ row }) => row.inverseTemperature), dims },
    slotRow: { data: slotRow, dims: [slots] },
    rowSlot: { data: column(({ slot }) => slot), dims: [rows.length] },
  };
}
