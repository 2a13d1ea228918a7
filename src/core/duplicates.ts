/** One epoch attempts a task once: a second writing of it is recorded, with its reason, and not rolled out again. */
import type { Generation } from './types.ts';

export function rejectDuplicates(
  generations: readonly Generation[],
  writtenBefore: (taskId: string) => boolean,
): Generation[] {
  const seen = new Set<string>();
  return generations.map((generation) => {
    const id = generation.task?.id;
    if (id === undefined) return generation;
    if (!seen.has(id) && !writtenBefore(id)) {
      seen.add(id);
      return generation;
    }
    return {
      ...generation,
      task: null,
      verdict: { kind: 'rejected', reason: 'duplicate', detail: `${id} was already written in this epoch` },
    };
  });
}
