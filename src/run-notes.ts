/** What an engine has to say while a run goes on, a server that went away say: shown at once, written with the next step. */
import type { RunEvent } from './core/events.ts';
import type { Note } from './core/journal.ts';
import type { RunJournal } from './store/index.ts';

export interface RunNotes {
  notice(kind: string, detail: string): void;
  /** The journal, with what was said since the last commit in the next. */
  written(journal: RunJournal): RunJournal;
  /** The events, with what is said in between. */
  shown<T>(events: AsyncGenerator<RunEvent, T>): AsyncGenerator<RunEvent, T>;
}

export function runNotes(epoch: () => number): RunNotes {
  const toWrite: Note[] = [];
  const toShow: Note[] = [];
  let wake = () => {};
  return {
    notice(kind, detail) {
      const note = { kind, epoch: epoch(), detail };
      toWrite.push(note);
      toShow.push(note);
      wake();
    },
    written: (journal) => ({
      ...journal,
      commit(at, writes) {
        journal.commit(at, { ...writes, notes: [...toWrite, ...(writes.notes ?? [])] });
        toWrite.length = 0;
      },
    }),
    async *shown(events) {
      let step = events.next();
      try {
        for (;;) {
          const said = new Promise<undefined>((resolve) => {
            wake = () => resolve(undefined);
          });
          const first = toShow.length > 0 ? undefined : await Promise.race([step, said]);
          for (const note of toShow.splice(0)) yield { type: 'note', ...note };
          if (!first) continue;
          if (first.done) return first.value;
          yield first.value;
          step = events.next();
        }
      } finally {
        // Whoever stops listening is not told how the step under way ends.
        step.catch(() => {});
        await events.return(undefined as never);
      }
    },
  };
}
