/** Runs put together by a setting: their mean at every epoch, with its interval over seeds. */
import { bounded, estimate, SHARE } from '../../../report/interval.ts';
import type { ComparedRun } from '../../api.ts';

export type XAxis = 'epoch' | 'tasks' | 'tokens';

export interface Group {
  name: string;
  runs: ComparedRun[];
}

export interface MeanPoint {
  x: number;
  mean: number;
  n: number;
  low: number | null;
  high: number | null;
}

/** Settings in which the runs differ, those that people compare by first. The seed and the name are no treatment. */
export function differing(runs: readonly ComparedRun[]): string[] {
  const names = new Set(runs.flatMap(({ settings }) => Object.keys(settings)));
  const differs = (name: string) => new Set(runs.map(({ settings }) => settings[name])).size > 1;
  const rank = (name: string) => (name === 'variant' ? 0 : 1);
  return [...names]
    .filter((name) => name !== 'seed' && name !== 'name' && differs(name))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** By the value of a setting, or every run for itself. */
export function grouped(runs: readonly ComparedRun[], by: string | null): Group[] {
  if (by === null) return runs.map((run) => ({ name: run.id, runs: [run] }));
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    const value = run.settings[by] ?? 'not set';
    groups.set(value, [...(groups.get(value) ?? []), run]);
  }
  return [...groups]
    .map(([name, members]) => ({ name, runs: members }))
    .sort((a, b) => NATURAL.compare(a.name, b.name));
}

const NATURAL = new Intl.Collator('en', { numeric: true });

/** At every epoch that a run of the group has: the mean of both axes over its runs. */
export function meanCurve({ runs }: Group, x: XAxis, isShare: boolean): MeanPoint[] {
  const epochs = [...new Set(runs.flatMap(({ points }) => points.map(({ epoch }) => epoch)))].sort((a, b) => a - b);
  return epochs.map((epoch) => {
    const here = runs.flatMap(({ points }) => points.filter((point) => point.epoch === epoch));
    const found = estimate(here.map(({ value }) => value))!;
    const { interval } = isShare ? bounded(found, SHARE) : found;
    const at = here.reduce((sum, point) => sum + point[x], 0) / here.length;
    return { x: at, mean: found.mean, n: found.n, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
  });
}

/** Keys whose values are shares of something. */
export const isShareKey = (key: string): boolean => /(Rate|Share|reward|diversity)$/.test(key) || key === 'env/reward';
