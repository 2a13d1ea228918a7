/** Several runs on one chart. Their points lie at different places when drawn against what was spent, so places are merged. */
import type { ComparedRun } from '../../api.ts';
import { lookOf } from '../chart/colours.ts';
import type { ChartSpec, Line } from '../chart/types.ts';
import { type Group, isShareKey, meanCurve, type XAxis } from './groups.ts';

const X_NAMES: Record<XAxis, string> = { epoch: 'epoch', tasks: 'tasks attempted', tokens: 'tokens of both players' };

export function compareSpec(groups: readonly Group[], key: string, x: XAxis, band: ChartSpec['band']): ChartSpec {
  const share = isShareKey(key);
  const curves = groups.map((group) => ({ group, points: meanCurve(group, x, share) }));
  const places = [
    ...new Set([
      ...curves.flatMap(({ points }) => points.map((point) => point.x)),
      ...groups.flatMap(({ runs }) => (runs.length > 1 ? runs.flatMap(({ points }) => points.map((p) => p[x])) : [])),
    ]),
  ].sort((a, b) => a - b);
  const at = new Map(places.map((place, i) => [place, i]));
  const column = (points: readonly { x: number; y: number | null }[]) => {
    const values: (number | null)[] = places.map(() => null);
    for (const point of points) values[at.get(point.x)!] = point.y;
    return values;
  };
  const lines = curves.flatMap(({ group, points }, i): Line[] => {
    const look = lookOf(i);
    const hasInterval = points.some(({ low }) => low !== null);
    const mean: Line = {
      name: group.runs.length > 1 ? `${group.name} (mean of ${group.runs.length})` : group.name,
      ...look,
      values: column(points.map((point) => ({ x: point.x, y: point.mean }))),
      joined: true,
      points: points.length <= 40,
      ...(hasInterval
        ? {
            range: {
              low: column(points.map((point) => ({ x: point.x, y: point.low ?? point.mean }))),
              high: column(points.map((point) => ({ x: point.x, y: point.high ?? point.mean }))),
            },
          }
        : {}),
    };
    return group.runs.length > 1 ? [...threads(group.runs, x, look.colour, column), mean] : [mean];
  });
  return {
    label: `${key} of several runs, by ${X_NAMES[x]}`,
    x: places,
    xName: X_NAMES[x],
    xWhole: x === 'epoch',
    yName: key,
    height: 380,
    lines,
    ...(key === 'env/successRate' ? { band } : {}),
    ...(share ? { yRange: [0, 1] as [number, number] } : {}),
  };
}

const threads = (
  runs: readonly ComparedRun[],
  x: XAxis,
  colour: Line['colour'],
  column: (points: readonly { x: number; y: number }[]) => (number | null)[],
): Line[] =>
  runs.map((run) => ({
    name: run.id,
    colour,
    thread: true,
    joined: true,
    quiet: true,
    points: false,
    values: column(run.points.map((point) => ({ x: point[x], y: point.value }))),
  }));
