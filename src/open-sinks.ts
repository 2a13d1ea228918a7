/** From `metrics.sinks` in the configuration to sinks that a run feeds: part of the composition root. */
import { basename } from 'node:path';
import type { Config } from './config.ts';
import type { RunEvent } from './core/events.ts';
import type { Json } from './core/types.ts';
import { openSinks, type Sinks } from './metrics/sinks.ts';
import { openReader, type RunJournal } from './store/index.ts';
import { VERSION } from './version.ts';

export interface RunSinks extends Sinks {
  /** What the user should know, since the last call. It is in the store already. */
  notes(): RunEvent[];
}

export function openRunSinks(folder: string, config: Config, journal: RunJournal): RunSinks {
  const { sinks } = config.metrics;
  const notes: RunEvent[] = [];
  const reader = sinks.length > 0 ? openReader(folder) : undefined;
  const opened = openSinks({
    sinks,
    folder,
    run: basename(folder),
    createdAt: String(journal.meta().createdAt ?? ''),
    config: config as unknown as Json, // Plain data, but an interface has no index signature.
    version: VERSION,
    rows: (after, limit) => reader?.metricRows({ after, limit }) ?? [],
    tell(detail) {
      const cursor = journal.cursor();
      const note = { kind: 'sink', epoch: cursor?.epoch ?? 0, detail };
      if (cursor) journal.commit(cursor, { notes: [note] });
      notes.push({ type: 'note', ...note });
    },
    env: process.env,
  });
  return {
    ...opened,
    notes: () => notes.splice(0),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      reader?.[Symbol.dispose]();
    },
  };
}
