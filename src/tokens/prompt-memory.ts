/**
 * Prompts made lately. The next turn of a rollout extends the prompt of the last one; without this every turn would build
 * all prompts before it again.
 */

export interface PromptMemory {
  get(text: string, sampled: readonly Int32Array[]): Int32Array | undefined;
  set(text: string, sampled: readonly Int32Array[], ids: Int32Array): void;
}

/** Bounded by what it holds: ids and characters in all. */
export function promptMemory(limit: number): PromptMemory {
  const entries = new Map<string, { sampled: readonly Int32Array[]; ids: Int32Array }>();
  let held = 0;
  const drop = (text: string) => {
    const entry = entries.get(text);
    if (!entry) return;
    held -= text.length + entry.ids.length;
    entries.delete(text);
  };
  return {
    get(text, sampled) {
      const entry = entries.get(text);
      // One text may be the rendering of different ids.
      return entry && sameAll(entry.sampled, sampled) ? entry.ids : undefined;
    },
    set(text, sampled, ids) {
      drop(text);
      entries.set(text, { sampled, ids });
      held += text.length + ids.length;
      for (const oldest of entries.keys()) {
        if (held <= limit) break;
        drop(oldest);
      }
    },
  };
}

const sameAll = (a: readonly Int32Array[], b: readonly Int32Array[]) =>
  a.length === b.length && a.every((ids, i) => same(ids, b[i]!));

const same = (a: Int32Array, b: Int32Array) => a === b || (a.length === b.length && a.every((id, i) => id === b[i]));
