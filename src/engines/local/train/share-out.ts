/** Micro-batches to workers, most expensive first to whoever has least: the same batches always go the same way. */
import type { MicroBatch } from './micro-batch.ts';

export function shareOut(batches: readonly MicroBatch[], workers: number): MicroBatch[][] {
  const shares: MicroBatch[][] = Array.from({ length: workers }, () => []);
  const load = shares.map(() => 0);
  const cost = (batch: MicroBatch) => batch.batch * batch.length;
  for (const batch of batches.toSorted((a, b) => cost(b) - cost(a))) {
    const least = load.indexOf(Math.min(...load));
    shares[least]!.push(batch);
    load[least]! += cost(batch);
  }
  return shares;
}
