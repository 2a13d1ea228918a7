/**
 * A run as it happens, for everybody who watches it: one loop a run looks for new rows, however many pages are open, and
 * stops when the last one closes. The run may be played by any process; nothing is asked of it.
 */
import type { LiveUpdate } from './api.ts';
import type { OpenRun, RunIndex } from './run-index.ts';

export type LiveEvent = { kind: 'update'; update: LiveUpdate } | { kind: 'problem'; message: string };
type Listener = (event: LiveEvent) => void;

export interface Live extends Disposable {
  /** Told of every change until the returned function is called. */
  watch(id: string, listener: Listener): () => void;
}

/** Between two looks; a look that finds nothing costs microseconds. */
const LOOK_MS = 400;
/** A slice of counting, and the pause after it in which others are answered. */
const SLICE_MS = 40;
const PAUSE_MS = 10;
/** Looking takes at most one part in so many of the time. */
const RATIO = 10;
/** The end of a run is no commit: its status is looked at now and then. */
const STATUS_MS = 2000;

export function openLive(index: RunIndex): Live {
  const loops = new Map<string, { listeners: Set<Listener>; stop: () => void }>();
  return {
    watch(id, listener) {
      let loop = loops.get(id);
      if (!loop) {
        const listeners = new Set<Listener>();
        const tell = (event: LiveEvent) => {
          for (const listen of listeners) listen(event);
        };
        loop = { listeners, stop: startLoop(index, id, tell) };
        loops.set(id, loop);
      }
      const { listeners, stop } = loop;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || loops.get(id)?.listeners !== listeners) return;
        stop();
        loops.delete(id);
      };
    },
    [Symbol.dispose]: () => {
      for (const { stop } of loops.values()) stop();
      loops.clear();
    },
  };
}

function startLoop(index: RunIndex, id: string, tell: Listener): () => void {
  let timer: NodeJS.Timeout;
  let seen: OpenRun | null = null;
  let lastHead = '';
  let lastNote = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const look = () => {
    const started = performance.now();
    let pause = LOOK_MS;
    try {
      const run = index.open(id);
      if (!run) return tell({ kind: 'problem', message: `The run ${id} is gone: its folder was removed or renamed.` });
      const { state } = run;
      const changed = new Set(state.refresh());
      const counted = state.count(SLICE_MS);
      for (const epoch of counted) changed.add(epoch);
      // Counting goes on at once; the epoch being played is counted again only as often as that stays cheap.
      const isBehind = state.isBehind();
      pause = isBehind ? PAUSE_MS : Math.max(LOOK_MS, RATIO * (performance.now() - started));
      const isOther = run !== seen;
      seen = run;
      // A paused run writes notes and nothing else: they are looked for as often as its status.
      const isDue = changed.size > 0 || isOther || performance.now() - lookedAt > STATUS_MS;
      const notes = isDue ? state.notes(lastNote) : [];
      lastNote = notes.at(-1)?.row ?? lastNote;
      if (!isDue) return wait(pause);
      lookedAt = performance.now();
      const head = state.head();
      const said = JSON.stringify({ ...head, seconds: 0 });
      if (changed.size === 0 && notes.length === 0 && said === lastHead) return wait(pause);
      lastHead = said;
      const epochs = state.rows((epoch) => changed.has(epoch) && state.isDrawn(epoch));
      tell({ kind: 'update', update: { head, epochs, notes } });
      wait(pause);
    } catch (error) {
      tell({ kind: 'problem', message: error instanceof Error ? error.message : String(error) });
      wait(5 * LOOK_MS);
    }
  };
  const wait = (ms: number) => {
    timer = setTimeout(look, ms);
  };
  timer = setTimeout(look, 0);
  return () => clearTimeout(timer);
}
