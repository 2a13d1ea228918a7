/** The run on screen: asked for once, then kept up to date by the server's event stream. */
import { effect, signal } from '@preact/signals';
import type { EpochRow, LiveUpdate, NoteRow, Overview } from '../api.ts';
import { ask, Refused } from './answer.ts';
import { route } from './route.ts';

export interface RunLive {
  id: string;
  overview: Overview | null;
  error: Refused | null;
  /** `lost` is a server that no longer answers: what is shown is from `heardAt`. */
  connection: 'loading' | 'open' | 'lost';
  heardAt: number;
  /** What the server said is wrong with the run itself. */
  problem: string | null;
  /** Grows with every change. */
  version: number;
}

export const runLive = signal<RunLive | null>(null);

let close = () => {};

/** Follows the route: one stream, for the run it names. */
export function followRun(): void {
  effect(() => {
    const current = route.value;
    const id = 'run' in current ? current.run : null;
    if (runLive.peek()?.id === id) return;
    close();
    close = () => {};
    runLive.value =
      id === null
        ? null
        : { id, overview: null, error: null, connection: 'loading', heardAt: Date.now(), problem: null, version: 0 };
    if (id !== null) close = watch(id);
  });
}

const RETRY_MS = 3000;

function watch(id: string): () => void {
  const control = new AbortController();
  const path = `/api/runs/${encodeURIComponent(id)}`;
  let stream: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const change = (changes: Partial<RunLive>) => {
    const before = runLive.peek();
    if (before?.id === id) runLive.value = { ...before, ...changes };
  };

  const start = async () => {
    try {
      const overview = await ask<Overview>(`${path}/overview`, control.signal);
      change({
        overview,
        error: null,
        connection: 'open',
        heardAt: Date.now(),
        version: (runLive.peek()?.version ?? 0) + 1,
      });
      listen(overview);
    } catch (error) {
      if (control.signal.aborted) return;
      change({ error: error instanceof Refused ? error : new Refused(0, String(error)), connection: 'lost' });
      // A run that is not there yet, or a server that was restarted, may be there in a moment.
      retry = setTimeout(start, RETRY_MS);
    }
  };

  const listen = ({ epochs }: Overview) => {
    const isWhole = epochs.every(({ facts }) => facts !== null);
    stream = new EventSource(`${path}/live?from=${isWhole ? (epochs.at(-1)?.epoch ?? 0) : 0}`);
    stream.addEventListener('update', (event) => merge(JSON.parse(event.data) as LiveUpdate));
    stream.addEventListener('problem', (event) => change({ problem: JSON.parse(event.data).error }));
    stream.addEventListener('alive', () => change({ heardAt: Date.now() }));
    // A stream has an end, a run may have none: the next one begins where this one was.
    stream.addEventListener('again', () => {
      stream?.close();
      start();
    });
    stream.addEventListener('error', () => {
      stream?.close();
      change({ connection: 'lost' });
      retry = setTimeout(start, RETRY_MS);
    });
  };

  const merge = ({ head, epochs, notes }: LiveUpdate) => {
    const before = runLive.peek();
    if (before?.id !== id || !before.overview) return;
    change({
      overview: {
        ...before.overview,
        head,
        epochs: mergeEpochs(before.overview.epochs, epochs),
        notes: mergeNotes(before.overview.notes, notes),
      },
      connection: 'open',
      problem: null,
      heardAt: Date.now(),
      version: before.version + 1,
    });
  };

  start();
  return () => {
    control.abort();
    clearTimeout(retry);
    stream?.close();
  };
}

export function mergeEpochs(before: readonly EpochRow[], changed: readonly EpochRow[]): EpochRow[] {
  const rows = new Map(before.map((row) => [row.epoch, row]));
  for (const row of changed) {
    // An epoch that is being counted again keeps its last count until then.
    rows.set(row.epoch, { ...row, facts: row.facts ?? rows.get(row.epoch)?.facts ?? null });
  }
  return [...rows.values()].sort((a, b) => a.epoch - b.epoch);
}

const mergeNotes = (before: readonly NoteRow[], more: readonly NoteRow[]): NoteRow[] => {
  const known = new Set(before.map(({ row }) => row));
  return [...before, ...more.filter(({ row }) => !known.has(row))];
};
