/** Drawing from streams that may be far longer than memory. */
import type { Rng } from './rng.ts';

/**
 * m items without replacement, in proportion to their weights, from a stream of any length (Efraimidis and Spirakis:
 * keep the m largest u^(1/w)). Returned in stream order; all of them when there are no more than m.
 */
export function weightedSample<T>(items: Iterable<T>, m: number, weight: (item: T) => number, rng: Rng): T[] {
  const heap: { key: number; at: number; item: T }[] = [];
  let at = 0;
  for (const item of items) {
    const w = weight(item);
    // log(u)/w orders as u^(1/w) and does not underflow.
    const key = w > 0 ? Math.log(1 - rng.next()) / w : Number.NEGATIVE_INFINITY;
    const entry = { key, at: at++, item };
    if (key === Number.NEGATIVE_INFINITY || m <= 0) continue;
    if (heap.length < m) {
      heap.push(entry);
      siftUp(heap);
    } else if (key > heap[0]!.key) {
      heap[0] = entry;
      siftDown(heap);
    }
  }
  return heap.sort((a, b) => a.at - b.at).map((entry) => entry.item);
}

function siftUp(heap: { key: number }[]): void {
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1;
    if (heap[parent]!.key <= heap[i]!.key) return;
    [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
    i = parent;
  }
}

function siftDown(heap: { key: number }[]): void {
  for (let i = 0; ; ) {
    const left = 2 * i + 1;
    if (left >= heap.length) return;
    const child = left + 1 < heap.length && heap[left + 1]!.key < heap[left]!.key ? left + 1 : left;
    if (heap[i]!.key <= heap[child]!.key) return;
    [heap[i], heap[child]] = [heap[child]!, heap[i]!];
    i = child;
  }
}
