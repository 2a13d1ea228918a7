/**
 * What the server knows of a run it is asked about. It reads on where it stopped, by row id: whole-epoch metrics at once,
 * because the first chart is drawn from them, and the counts of older epochs in slices, so that nobody waits for a million
 * traces to be counted.
 */
import type { LoadedConfig } from '../config.ts';
import type { EpochFacts, Marks, RunReader } from '../store/index.ts';
import type { EpochRow, NoteRow, RunHead } from './api.ts';
import { configOf, runHead } from './run-head.ts';

export interface RunState {
  /** Reads what was committed since the last time. Returns the epochs that look different now. */
  refresh(): ReadonlySet<number>;
  /** Counts epochs that were not counted yet, newest first, for about so long; returns those it did. */
  count(budgetMs: number): ReadonlySet<number>;
  /** Whether there are epochs left to count. */
  isBehind(): boolean;
  /** As it was started with; checked once. */
  config(): LoadedConfig;
  head(): RunHead;
  rows(wanted?: (epoch: number) => boolean): EpochRow[];
  notes(after: number): NoteRow[];
  /** Every how manieth epoch is drawn. */
  stride(): number;
  isDrawn(epoch: number): boolean;
}

/** Epochs on one chart; a longer run shows every second, fourth, … one. */
const MOST_EPOCHS = 600;

export function openRunState(id: string, reader: RunReader, writtenAt: () => number | null): RunState {
  const metrics = new Map<number, Record<string, number>>();
  const facts = new Map<number, EpochFacts>();
  let seen: Marks = { groups: 0, generations: 0, scores: 0, metrics: 0, notes: 0 };
  let version = -1;
  let last = 0;
  let loaded: { config: string; value: LoadedConfig } | undefined;
  let pools = { agent: 0, environment: 0 };

  const config = () => {
    const stored = JSON.stringify(reader.meta().config);
    if (loaded?.config !== stored) loaded = { config: stored, value: configOf(reader) };
    return loaded.value;
  };
  /** A power of two: what is not drawn any more never will be again. */
  const stride = () => 2 ** Math.max(0, Math.ceil(Math.log2((last + 1) / MOST_EPOCHS)));
  const isDrawn = (epoch: number) => epoch === last || epoch % stride() === 0;
  const epochs = () => Array.from({ length: last + 1 }, (_, epoch) => epoch);

  function refresh(): Set<number> {
    const changed = new Set<number>();
    const current = reader.browse.version();
    if (current === version) return changed;
    version = current;
    const now = reader.browse.marks();
    for (const { epoch, key, value } of reader.browse.wholeEpochMetrics(seen.metrics)) {
      const known = metrics.get(epoch) ?? {};
      known[key] = value;
      metrics.set(epoch, known);
      changed.add(epoch);
    }
    const open = last;
    last = Math.max(last, reader.cursor()?.epoch ?? 0, ...changed);
    if (now.groups > seen.groups || now.generations > seen.generations || now.scores > seen.scores) {
      // Epochs are played one after another: only those from the last one on can have grown.
      for (let epoch = open; epoch <= last; epoch++) {
        facts.delete(epoch);
        changed.add(epoch);
      }
      pools = reader.browse.poolSizes();
    }
    seen = now;
    forgetUndrawn();
    return changed;
  }

  /** What is known of a run does not grow with its length. */
  function forgetUndrawn(): void {
    for (const known of [metrics, facts]) {
      for (const epoch of known.keys()) if (!isDrawn(epoch)) known.delete(epoch);
    }
  }

  return {
    refresh,
    count(budgetMs) {
      const counted = new Set<number>();
      const until = performance.now() + budgetMs;
      for (let epoch = last; epoch >= 0 && performance.now() < until; epoch--) {
        if (facts.has(epoch) || !isDrawn(epoch)) continue;
        facts.set(epoch, reader.browse.epochFacts(epoch));
        counted.add(epoch);
      }
      return counted;
    },
    isBehind: () => epochs().some((epoch) => isDrawn(epoch) && !facts.has(epoch)),
    config,
    head: () => runHead(id, reader, writtenAt(), pools, config()),
    rows: (wanted = isDrawn) =>
      epochs()
        .filter(wanted)
        .map((epoch) => ({ epoch, metrics: metrics.get(epoch) ?? {}, facts: facts.get(epoch) ?? null })),
    notes: (after) => reader.notes({ after, limit: 200 }),
    stride,
    isDrawn,
  };
}
