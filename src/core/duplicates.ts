/** Two kinds of task are recorded, with the reason, and never attempted: repeats within an epoch, and held-out tasks. */
import type { Generation, RejectReason } from './types.ts';

/** `written` holds what the epoch wrote so far, and grows by what is accepted here. */
export function rejectDuplicates(
  generations: readonly Generation[],
  written: Set<string>,
  isHeldOut: (taskId: string) => boolean,
): Generation[] {
  return generations.map((generation) => {
    const id = generation.task?.id;
    if (id === undefined) return generation;
    if (written.has(id)) return rejected(generation, 'duplicate', `${id} was already written in this epoch`);
    if (isHeldOut(id)) return rejected(generation, 'copy', `${id} is a held-out task, and nobody may learn from it`);
    written.add(id);
    return generation;
  });
}

const rejected = (generation: Generation, reason: RejectReason, detail: string): Generation => ({
  ...generation,
  task: null,
  verdict: { kind: 'rejected', reason, detail },
});
