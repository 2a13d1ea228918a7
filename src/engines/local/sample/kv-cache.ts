/**
 * Keys and values in the shape the decode graph reads: for each layer a dense [blocks, kvHeads, length, headWidth], plus a
 * mask of which positions are filled. Blocks grow and move; the graph always sees the first `blocks` of them.
 */
import type { Feed } from '../graph/session.ts';
import { MASKED } from '../model/batch-graph.ts';
import type { ModelConfig } from '../model/config.ts';

/**
 * Lengths are multiples of a vector, so that its lanes see the same elements whatever the padding behind them. Short ones
 * grow in small steps, since padding is read at every step; long ones in larger, since growing copies.
 */
const VECTOR = 16;
const LONG = 256;

function paddedLength(length: number): number {
  const step = length <= LONG ? VECTOR : 4 * VECTOR;
  return Math.ceil(Math.max(1, length) / step) * step;
}

export class KvCache {
  readonly #config: ModelConfig;
  /** Keys of each layer, then values of each layer. */
  #planes: Float32Array[];
  #mask: Float32Array;
  #capacity = 0;
  #length = 0;

  constructor(config: ModelConfig) {
    this.#config = config;
    this.#planes = Array.from({ length: 2 * config.layers }, () => new Float32Array(0));
    this.#mask = new Float32Array(0);
  }

  /** Makes room for so many blocks of at least this length; what is there stays. */
  reserve(blocks: number, length: number): void {
    if (blocks <= this.#capacity && length <= this.#length) return;
    const capacity = Math.max(blocks, blocks > this.#capacity ? 2 * this.#capacity : this.#capacity);
    const grown = Math.max(this.#length, paddedLength(length));
    const { kvHeads, headWidth } = this.#config;
    this.#planes = this.#planes.map((plane) => {
      const next = new Float32Array(capacity * kvHeads * grown * headWidth);
      copyRows(plane, this.#length * headWidth, next, grown * headWidth);
      return next;
    });
    const mask = new Float32Array(capacity * grown).fill(MASKED);
    copyRows(this.#mask, this.#length, mask, grown);
    this.#mask = mask;
    this.#capacity = capacity;
    this.#length = grown;
  }

  /** Empties a block, then fills its first positions from [kvHeads, count, headWidth] planes. */
  load(block: number, planes: readonly Float32Array[], count: number): void {
    const { kvHeads, headWidth } = this.#config;
    for (const [index, source] of planes.entries()) {
      const plane = this.#planes[index]!;
      for (let head = 0; head < kvHeads; head++) {
        const part = source.subarray(head * count * headWidth, (head + 1) * count * headWidth);
        plane.set(part, (block * kvHeads + head) * this.#length * headWidth);
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
      [`${name}Mask`]: { data: this.#mask.subarray(0, blocks * this.#length), dims: [blocks, 1, 1, this.#length] },
    };
    for (const [index, plane] of this.#planes.entries()) {
      const key = index < layers ? `${name}K${index}` : `${name}V${index - layers}`;
      feeds[key] = { data: plane.subarray(0, blocks * size), dims };
    }
    return feeds;
  }
}

/** Copies rows of one stride into rows of a larger one. */
function copyRows(from: Float32Array, fromStride: number, to: Float32Array, toStride: number): void {
  if (fromStride === 0) return;
  for (let row = 0; row < from.length / fromStride; row++) {
    to.set(from.subarray(row * fromStride, (row + 1) * fromStride), row * toStride);
  }
}
