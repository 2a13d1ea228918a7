/** One metric of several runs, with their settings and what they had spent: whatever the page groups and draws them by. */
import { bandIn } from '../core/stepped-band.ts';
import type { Json } from '../core/types.ts';
import { statusOf } from '../run-status.ts';
import type { ComparedRun, ComparePage } from './api.ts';
import type { OpenRun, RunIndex } from './run-index.ts';

export const MOST_RUNS = 60;

export function comparePage(index: RunIndex, ids: readonly string[], key: string): ComparePage {
  const keys = new Set<string>();
  const missing: string[] = [];
  let band: ComparePage['band'] = null;
  const runs = ids.slice(0, MOST_RUNS).flatMap((id): ComparedRun | [] => {
    try {
      const run = index.open(id);
      if (!run) throw new Error('gone');
      const compared = comparedRun(run, key, keys);
      band ??= bandIn(run.state.head().band, Number.POSITIVE_INFINITY);
      return compared;
    } catch {
      missing.push(id);
      return [];
    }
  });
  return { key, keys: [...keys].sort(), band, runs, missing };
}

/**
 * Changes when the comparison would look different: a commit, a run that ended, one that came or went. So cheap that pages
 * can ask every few seconds and read the runs again only then.
 */
export function compareVersion(index: RunIndex, ids: readonly string[]): string {
  const marks = ids.slice(0, MOST_RUNS).map((id) => {
    try {
      const run = index.open(id);
      if (!run) return 'gone';
      const { status } = statusOf(run.reader, run.state.config().config.epochs);
      return `${run.opened} ${run.reader.browse.version()} ${status}`;
    } catch {
      return 'unreadable';
    }
  });
  return marks.join('; ');
}

function comparedRun({ id, state }: OpenRun, key: string, keys: Set<string>): ComparedRun {
  state.refresh();
  const { config } = state.config();
  const rows = state.rows();
  for (const { metrics } of rows) for (const name of Object.keys(metrics)) keys.add(name);
  return {
    id,
    status: state.head().status,
    seed: config.seed,
    settings: flattened(config as unknown as Json),
    points: rows.flatMap(({ epoch, metrics }) => {
      const value = metrics[key];
      if (value === undefined) return [];
      const tokens = (metrics['ledger/agentTokens'] ?? 0) + (metrics['ledger/environmentTokens'] ?? 0);
      return [{ epoch, value, tasks: metrics['ledger/tasks'] ?? 0, tokens }];
    }),
  };
}

/** `{ curriculum: { alpha: 0.5 } }` as `curriculum.alpha: 0.5`. */
export function flattened(value: Json, path = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null) return { [path]: String(value) };
  if (Array.isArray(value)) return { [path]: JSON.stringify(value) };
  const parts = Object.entries(value).map(([name, part]) => flattened(part, path === '' ? name : `${path}.${name}`));
  return Object.assign({}, ...parts);
}
