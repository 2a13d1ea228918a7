/**
 * Keys and values in the shape the decode graph reads: for each layer a dense [blocks, kvHeads, length, headWidth], plus a
 * mask of which positions are filled. Blocks grow and move; the graph always sees the first `blocks` of them.
 */
import type { Feed } from '../graph/session.ts';
import { MASKED } from '../model/batch-graph.ts';
import type { ModelConfig } from '../model/config.ts';

/**
 * Lengths are multiples of a vector, so that its lanes see the same elements whatever the padding behind them. Short ones
 * grow in small steps, since padding is read at every step; long ones in larger, since growing moves all rows.
 */
export const VECTOR = 16;
const LONG = 256;

function paddedLength(length: number): number {
  const step = length <= LONG ? VECTOR : 4 * VECTOR;
  return Math.ceil(Math.max(1, length) / step) * step;
}

/** Keys and values as prefill returns them: for each of them [kvHeads, length, headWidth], of which `count` positions count. */
export interface Prompt {
  planes: readonly Float32Array[];
  length: number;
  count: number;
}

export const EMPTY: Prompt = { planes: [], length: 0, count: 0 };

export class KvCache {
  readonly #config: ModelConfig;
  /** Keys of each layer, then values of each layer. */
  #planes: Float32Array[];
  #mask: Float32Array;
  #blocks = 0;
  #length = 0;

  constructor(config: ModelConfig) {
    this.#config = config;
    this.#planes = Array.from({ length: 2 * config.layers }, () => new Float32Array(0));
    this.#mask = new Float32Array(0);
  }

  /** Makes room for so many blocks of at least this length; what is there stays. */
  reserve(blocks: number, length: number): void {
    if (blocks <= this.#blocks && length <= this.#length) return;
    const grown = Math.max(this.#length, paddedLength(length));
    const rows = Math.max(blocks, this.#blocks);
    const { kvHeads, headWidth } = this.#config;
    const [before, after] = [this.#length * headWidth, grown * headWidth];
    this.#planes = this.#planes.map((plane) =>
      restride(plane, { from: [this.#blocks * kvHeads, before], to: [rows * kvHeads, after] }),
    );
    this.#mask = restride(this.#mask, { from: [this.#blocks, this.#length], to: [rows, grown] });
    for (let row = 0; row < this.#blocks; row++) {
      this.#mask.fill(MASKED, row * grown + this.#length, (row + 1) * grown);
    }
    this.#blocks = rows;
    this.#length = grown;
  }

  /** Empties a block, then fills its first positions. */
  load(block: number, { planes, length, count }: Prompt): void {
    const { kvHeads, headWidth } = this.#config;
    for (const [index, source] of planes.entries()) {
      const plane = this.#planes[index]!;
      for (let head = 0; head < kvHeads; head++) {
        const from = head * length * headWidth;
        const to = (block * kvHeads + head) * this.#length * headWidth;
        plane.set(source.subarray(from, from + count * headWidth), to);
      }
    }
    const start = block * this.#length;
    this.#mask.fill(0, start, start + count).fill(MASKED, start + count, start + this.#length);
  }

  /** Writes one position of each slot from [slots, planes · kvHeads · headWidth]. */
  append(slots: readonly { slot: number; place: number }[], source: Float32Array): void {
    const { kvHeads, headWidth } = this.#config;
    const stride = this.#length * headWidth;
    let at = 0;
    for (const { slot, place } of slots) {
      for (const plane of this.#planes) {
        let to = slot * kvHeads * stride + place * headWidth;
        for (let head = 0; head < kvHeads; head++, to += stride) {
          for (let i = 0; i < headWidth; i++) plane[to + i] = source[at++]!;
        }
      }
      this.#mask[slot * this.#length + place] = 0;
    }
  }

  move(from: number, to: number): void {
    if (from === to) return;
    const size = this.#config.kvHeads * this.#length * this.#config.headWidth;
    for (const plane of this.#planes) plane.copyWithin(to * size, from * size, (from + 1) * size);
    this.#mask.copyWithin(to * this.#length, from * this.#length, (from + 1) * this.#length);
  }

  feeds(name: string, blocks: number): Record<string, Feed> {
    const { layers, kvHeads, headWidth } = this.#config;
    const size = kvHeads * this.#length * headWidth;
    const dims = [blocks, kvHeads, this.#length, headWidth];
    const feeds: Record<string, Feed> = {
      [`${name}Parts`]: { data: BigInt64Array.of(1n, BigInt(this.#length)), dims: [2] },
      [`${name}Mask`]: { data: this.#mask.subarray(0, blocks * this.#length), dims: [blocks, 1, 1, this.#length] },
    };
    for (const [index, plane] of this.#planes.entries()) {
      const key = index < layers ? `${name}K${index}` : `${name}V${index - layers}`;
      feeds[key] = { data: plane.subarray(0, blocks * size), dims };
    }
    return feeds;
  }
}

/** Gives [rows, stride] a longer stride and more rows: in place where there is room, else in twice as much as is needed. */
function restride(
  array: Float32Array,
  { from: [rows, before], to: [moreRows, after] }: { from: [number, number]; to: [number, number] },
): Float32Array {
  const needed = moreRows * after;
  const target = needed <= array.length ? array : new Float32Array(2 * needed);
  if (target === array && before === after) return array;
  // From the last: a row's new place covers the old places of later rows alone.
  for (let row = rows - 1; row >= 0; row--) {
    if (target === array) array.copyWithin(row * after, row * before, (row + 1) * before);
    else target.set(array.subarray(row * before, (row + 1) * before), row * after);
  }
  return target;
}
