/** A task at the head of its lineage: base data or held out, from a draft. */
import type { Benchmark, TaskDraft } from './benchmark.ts';
import { structureOf, taskId } from './content-id.ts';
import type { Origin, Task } from './types.ts';

export function rootTask(draft: TaskDraft, origin: Origin, own: Pick<Benchmark, 'features' | 'structure'> = {}): Task {
  const id = taskId(draft);
  const features = own.features?.(draft) ?? draft.features ?? {};
  const structure = own.structure?.(draft) ?? structureOf(draft);
  return { ...draft, id, seedId: null, rootId: id, origin, epoch: 0, features, structure };
}
