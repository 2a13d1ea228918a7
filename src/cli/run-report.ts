/** Everything `genenv show <run>` tells, as data: what --json prints, and what the page is drawn from. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, presetConfig, settingAt } from '../config.ts';
import type { Player, RejectReason } from '../core/types.ts';
import type { CheckpointRow, NoteRow, RunReader } from '../store/index.ts';
import { configOf, overviewOf, type RunOverview } from './run-overview.ts';

export interface RunReport extends RunOverview {
  config: Config;
  /** Settings that differ from the preset, each with the value it would have had. */
  changed: { setting: string; value: unknown; preset: unknown }[];
  /** Whole-epoch metrics; epoch 0 is before training. */
  epochTable: { epoch: number; metrics: Record<string, number> }[];
  pools: Record<Player, number>;
  /** Why generations were turned down, most frequent first, with the id of one to look at. */
  rejections: { reason: RejectReason; count: number; example: string }[];
  notes: NoteRow[];
  /** The last of each player; older ones may be gone. */
  checkpoints: CheckpointRow[];
  files: { path: string; bytes: number | null }[];
}

export function reportOf(run: string, reader: RunReader): RunReport {
  const overview = overviewOf(run, reader);
  const { config, overridden } = configOf(reader);
  const preset = presetConfig(config.preset);
  const upTo = (epochs: number) => Array.from({ length: epochs + 1 }, (_, epoch) => epoch);
  return {
    ...overview,
    config,
    changed: overridden.map((setting) => ({
      setting,
      value: settingAt(config, setting) ?? null,
      preset: settingAt(preset, setting) ?? null,
    })),
    epochTable: upTo(overview.epochs.done).map((epoch) => ({ epoch, metrics: reader.metrics(epoch) })),
    pools: { agent: sizeOf(reader.pool('agent')), environment: sizeOf(reader.pool('environment')) },
    rejections: rejectionsIn(reader, upTo(overview.at?.epoch ?? 0)),
    notes: allNotes(reader),
    checkpoints: lastCheckpoints(reader),
    files: ['run.sqlite', 'config.yaml', 'checkpoints'].flatMap((name) => fileAt(join(reader.folder, name))),
  };
}

function sizeOf(entries: Iterable<unknown>): number {
  let size = 0;
  for (const _ of entries) size++;
  return size;
}

function rejectionsIn(reader: RunReader, epochs: readonly number[]): RunReport['rejections'] {
  const found = new Map<RejectReason, { reason: RejectReason; count: number; example: string }>();
  for (const epoch of epochs) {
    for (const { id, rejected } of reader.generationHeads(epoch)) {
      if (rejected === null) continue;
      const seen = found.get(rejected) ?? { reason: rejected, count: 0, example: id };
      found.set(rejected, { ...seen, count: seen.count + 1 });
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function allNotes(reader: RunReader): NoteRow[] {
  const notes: NoteRow[] = [];
  for (let page = reader.notes(); page.length > 0; page = reader.notes({ after: notes.at(-1)!.row }))
    notes.push(...page);
  return notes;
}

function lastCheckpoints(reader: RunReader): CheckpointRow[] {
  const all = reader.checkpoints();
  return (['agent', 'environment'] as const).flatMap(
    (player) => all.findLast((saved) => saved.player === player) ?? [],
  );
}

function fileAt(path: string): RunReport['files'] {
  if (!existsSync(path)) return [];
  const found = statSync(path);
  return [{ path, bytes: found.isFile() ? found.size : null }];
}
