/** From a chart's specification to the drawing library's: scales, axes, lines, and what is painted behind them. */
import uPlot from 'uplot';
import { bandStretches } from '../../../core/stepped-band.ts';
import { compact, rate } from '../../../report/number.ts';
import { colour, faded, rem } from './colours.ts';
import type { ChartSpec, Line } from './types.ts';

export const valueText = (line: Line, value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : (line.format ?? plain)(value);

/** What a line says at a place; one that is drawn across gaps, what it said last. */
export const valueAt = ({ values, joined }: Line, index: number): number | null | undefined =>
  joined ? values.slice(0, index + 1).findLast((value) => value !== null) : values[index];

export const plain = (value: number): string =>
  Math.abs(value) >= 1000 ? compact(value) : Math.abs(value) >= 10 ? String(Number(value.toPrecision(3))) : rate(value);

/** Columns on columns: each line's values on top of those before it; drawn from the top down, so that lower ones cover. */
export function heights(lines: readonly Line[]): (number | null)[][] {
  const total: number[] = [];
  return lines.map(({ values, stacked }) =>
    !stacked
      ? values
      : values.map((value, i) => {
          if (value === null) return null;
          total[i] = (total[i] ?? 0) + value;
          return total[i];
        }),
  );
}

/** The order in which the library gets the lines, by their place in the specification. */
export function drawOrder(lines: readonly Line[]): number[] {
  const places = lines.map((_, i) => i);
  return [...places.filter((i) => lines[i]!.stacked).reverse(), ...places.filter((i) => !lines[i]!.stacked)];
}

/** x, then for every line its values, then the ends of its range where it has one. */
export function dataOf({ x, lines }: ChartSpec): uPlot.AlignedData {
  const stacks = heights(lines);
  const columns = drawOrder(lines).flatMap((i) => {
    const { range } = lines[i]!;
    return range ? [range.low, range.high, stacks[i]!] : [stacks[i]!];
  });
  return [x, ...columns];
}

/** Where in the data a line's values are. */
export function columnOf(lines: readonly Line[], line: number): number {
  let at = 1;
  for (const i of drawOrder(lines)) {
    const width = lines[i]!.range ? 3 : 1;
    if (i === line) return at + width - 1;
    at += width;
  }
  return at;
}

/** `latest` is asked when painting: dots and levels move with the data. */
export function optionsFor(
  spec: ChartSpec,
  latest: () => ChartSpec,
  size: { width: number; height: number },
): uPlot.Options {
  const { lines, sync } = spec;
  const hasRight = lines.some(({ axis }) => axis === 'right');
  const bands: uPlot.Band[] = [];
  const series: uPlot.Series[] = [{}];
  for (const i of drawOrder(lines)) {
    const line = lines[i]!;
    if (line.range) {
      bands.push({ series: [series.length + 1, series.length], fill: faded(colour(line.colour), 0.16) });
      series.push(edge(line), edge(line));
    }
    series.push(seriesFor(line, spec.x.length));
  }
  return {
    ...size,
    series,
    bands,
    legend: { show: false },
    cursor: {
      ...(sync === undefined ? {} : { sync: { key: sync, setSeries: false } }),
      drag: { x: false, y: false, setScale: false },
      points: { size: 7 },
      focus: { prox: 24 },
    },
    scales: {
      x: { time: false, range: (_u, min, max) => (min === max ? [min - 1, max + 1] : stackedEdges(lines, min, max)) },
      y: { range: (_u, min, max) => within(latest(), min, max) },
      ...(hasRight
        ? { right: { range: (_u: uPlot, min: number, max: number) => padded(latest().rightRange, min, max) } }
        : {}),
    },
    axes: [
      axis({ label: spec.xName, whole: spec.xWhole ?? true, size: 1.9 * rem() }),
      axis({ label: spec.yName, scale: 'y', size: 3.1 * rem(), whole: spec.yWhole ?? false }),
      ...(hasRight
        ? [axis({ label: spec.rightName ?? '', scale: 'right', side: 1, size: 3.1 * rem(), grid: false })]
        : []),
    ],
    hooks: { drawAxes: [(u) => drawBehind(u, latest()), (u) => drawDots(u, latest())] },
    padding: [8, hasRight ? 0 : 10, 0, 0],
  };
}

/** Columns at the ends need half their width beside them. */
const stackedEdges = (lines: readonly Line[], min: number, max: number): [number, number] =>
  lines.some(({ stacked }) => stacked) ? [min - 0.5, max + 0.5] : [min, max];

const edge = (line: Line): uPlot.Series => ({
  spanGaps: line.joined ?? false,
  scale: line.axis === 'right' ? 'right' : 'y',
  stroke: 'transparent',
  width: 0,
  points: { show: false },
});

function seriesFor(line: Line, points: number): uPlot.Series {
  const stroke = colour(line.colour);
  const common = { label: line.name, scale: line.axis === 'right' ? 'right' : 'y' };
  if (line.stacked) {
    return {
      ...common,
      stroke: colour('paper'),
      width: 1,
      fill: stroke,
      points: { show: false },
      ...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.92, 64], align: 0 }) } : {}),
    };
  }
  const few = points <= 40;
  return {
    ...common,
    stroke: line.thread ? faded(stroke, 0.35) : stroke,
    width: ((line.width ?? (line.thread ? 1 : 2)) * rem()) / 15,
    dash: [...(line.dash ?? [])],
    spanGaps: line.joined ?? false,
    points: { show: line.points ?? (few && !line.thread), size: 5, fill: stroke, stroke },
  };
}

function axis({ label, scale, side, size, grid = true, whole = false }: AxisOptions): uPlot.Axis {
  return {
    ...(scale === undefined ? {} : { scale }),
    ...(side === undefined ? {} : { side: side as uPlot.Axis.Side }),
    ...(size === undefined ? {} : { size }),
    label,
    labelSize: 1.2 * rem(),
    labelGap: 0,
    labelFont: font(),
    font: font(),
    stroke: colour('soft'),
    grid: { show: grid, stroke: colour('rule'), width: 1 },
    ticks: { stroke: colour('rule'), size: 4 },
    ...(whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 1e6] } : {}),
    values: (_u, ticks) => ticks.map((tick) => tickText(tick)),
  };
}

interface AxisOptions {
  label: string;
  scale?: string;
  side?: number;
  size?: number;
  grid?: boolean;
  whole?: boolean;
}

const font = () => `${0.8 * rem()}px system-ui, sans-serif`;
const tickText = (tick: number) =>
  Math.abs(tick) >= 10_000 ? compact(tick) : String(Number(tick.toPrecision(6))).replace('-', '−');

function within(spec: ChartSpec, min: number, max: number): [number, number] {
  const levels = (spec.levels ?? []).map(({ y }) => y);
  return padded(spec.yRange, Math.min(min, ...levels), Math.max(max, ...levels));
}

/** Fixed ends where they are given; otherwise a little air. A line that never moves still needs a scale. */
function padded(fixed: ChartSpec['yRange'], min: number, max: number): [number, number] {
  const [low, high] = [Number.isFinite(min) ? min : 0, Number.isFinite(max) ? max : 1];
  const air = (high - low || Math.abs(high) || 1) * 0.08;
  const [from, to] = [fixed?.[0] ?? low - air, fixed?.[1] ?? high + air];
  return to > from ? [from, to] : [from, from + 1];
}

/** The band and the levels, behind everything. */
function drawBehind(u: uPlot, { band, levels = [] }: ChartSpec): void {
  const { ctx, bbox } = u;
  const y = (value: number) => u.valToPos(value, 'y', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { from, to, alpha, kMin } of band ? bandStretches(band) : []) {
    const left = Math.max(bbox.left, Math.min(bbox.left + bbox.width, u.valToPos(from, 'x', true)));
    const right = Math.max(left, Math.min(bbox.left + bbox.width, u.valToPos(to, 'x', true)));
    const top = y(alpha + kMin);
    ctx.fillStyle = colour('band');
    ctx.fillRect(left, top, right - left, y(alpha - kMin) - top);
    dashed(u, y(alpha), left, right);
  }
  for (const { y: level, name } of levels) {
    dashed(u, y(level));
    ctx.fillStyle = colour('soft');
    ctx.font = `${0.8 * rem() * devicePixelRatio}px system-ui, sans-serif`;
    // Under the line where there is no room above it.
    const below = y(level) - bbox.top < 1.1 * rem() * devicePixelRatio;
    ctx.fillText(name, bbox.left + 6 * devicePixelRatio, y(level) + (below ? 0.95 * rem() : -4) * devicePixelRatio);
  }
  ctx.restore();
}

function dashed(
  { ctx, bbox }: uPlot,
  y: number,
  left: number = bbox.left,
  right: number = bbox.left + bbox.width,
): void {
  ctx.strokeStyle = colour('soft');
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(right, y);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The area of a dot says how many there are at its place. */
function drawDots(u: uPlot, { dots }: ChartSpec): void {
  if (!dots) return;
  const { ctx, bbox } = u;
  const most = Math.max(1, ...dots.at.map(({ n }) => n));
  // Neighbours do not run into each other.
  const room = bbox.width / Math.max(1, u.data[0].length - 1) / 2;
  const largest = Math.min(0.34 * rem() * devicePixelRatio, Math.max(1.5, room));
  ctx.save();
  ctx.beginPath();
  const edge = 6 * devicePixelRatio;
  ctx.rect(bbox.left - edge, bbox.top - edge, bbox.width + 2 * edge, bbox.height + 2 * edge);
  ctx.clip();
  ctx.fillStyle = faded(colour(dots.colour), 0.32);
  for (const { x, y, n } of dots.at) {
    const radius = largest * (0.35 + 0.65 * Math.sqrt(n / most));
    ctx.beginPath();
    ctx.arc(u.valToPos(x, 'x', true), u.valToPos(y, 'y', true), radius, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
