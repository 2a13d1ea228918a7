/** Lines over one axis: a mean with its interval as a band, and the single seeds as threads behind it. */
import { element, path, place, textElement } from './element.ts';
import { emptyPanel, framed, type Panel, type Plot } from './frame.ts';
import { colourClass, dashes, type Look } from './look.ts';
import { marker } from './marker.ts';
import { clipped, niceRange, type Range, ticks, wholeTicks } from './scale.ts';

export interface Point {
  x: number;
  y: number;
  /** Ends of the interval around y; both or none. */
  low?: number;
  high?: number;
  hover?: string;
}

export interface Line {
  name: string;
  look: Look;
  /** In the order of x. A null is a gap: the line stops there and starts again. */
  points: readonly (Point | null)[];
  threads: readonly (readonly (Point | null)[])[];
}

export interface LineChart {
  title: string;
  x: { label: string; format: (value: number) => string; whole?: boolean };
  /** `within` is where values can lie; `range` is what is drawn, whatever they are. */
  y: { label: string; format: (value: number) => string; within?: Range; range?: Range };
  lines: readonly Line[];
  /** A band to aim at; several stretches where it was moved. */
  target?: readonly Target[];
  /** Said instead of a drawing when there is no point. */
  absent: string;
}

/** A band with its middle, between two places of the axis; infinite ones are the edges of the drawing. */
export interface Target {
  from: number;
  to: number;
  low: number;
  high: number;
  aim: number;
}

/** More markers than this on a line run into each other. */
const MOST_MARKERS = 16;

export function lineChart({ title, x, y, lines, target = [], absent }: LineChart): Panel {
  const points = lines.flatMap((line) => [...line.points, ...line.threads.flat()]).filter((p) => p !== null);
  if (points.length === 0) return emptyPanel(title, absent);
  const xs = points.map((p) => p.x);
  const xRange: Range = x.whole ? wholeRange(xs) : niceRange(xs);
  const nice = niceRange([...reach(points), ...target.flatMap(({ low, high }) => [low, high])]);
  const yRange = y.range ?? (y.within ? clipped(nice, y.within) : nice);
  const axes = {
    x: { ...x, range: xRange, ticks: x.whole ? wholeTicks(xRange) : ticks(xRange, 4) },
    y: { ...y, range: yRange, ticks: ticks(yRange) },
  };
  return framed({ title, description: describe(lines, y.format), ...axes }, (plot) =>
    [
      ...target.map((stretch) => drawTarget(stretch, xRange, plot)),
      ...lines.map((line) => drawBehind(line, plot)),
      ...lines.map((line) => drawLine(line, plot)),
    ].join(''),
  );
}

/** Values, and their intervals within reason: that of two seeds may be many times as wide as everything measured. */
function reach(points: readonly Point[]): number[] {
  const ys = points.map((p) => p.y);
  const low = ys.reduce((a, b) => Math.min(a, b));
  const high = ys.reduce((a, b) => Math.max(a, b));
  const room = (high - low) / 2 || Number.POSITIVE_INFINITY;
  const ends = points.flatMap((p) => [p.low ?? p.y, p.high ?? p.y]);
  return [...ys, ...ends.map((end) => Math.min(high + room, Math.max(low - room, end)))];
}

/** Epochs start where they start: rounding to -1 or 15 would promise epochs that are not there. */
function wholeRange(xs: readonly number[]): Range {
  const low = xs.reduce((a, b) => Math.min(a, b));
  const high = xs.reduce((a, b) => Math.max(a, b));
  return low === high ? [low - 1, high + 1] : [low, high];
}

/** To three digits: somebody has to listen to them. */
function describe(lines: readonly Line[], format: (value: number) => string): string {
  const spoken = (value: number) => format(Number(value.toPrecision(3)));
  return lines
    .flatMap(({ name, points }) => {
      const known = points.filter((p) => p !== null);
      const [first, last] = [known[0], known.at(-1)];
      return first && last ? `${name} from ${spoken(first.y)} to ${spoken(last.y)}` : [];
    })
    .join('; ');
}

function drawTarget({ from, to, low, high, aim }: Target, [first, last]: Range, { x, y, left, right }: Plot): string {
  // A step after the last epoch drawn, or before the first.
  if (from >= last || to <= first) return '';
  const start = from <= first ? left : x(from);
  const end = to >= last ? right : x(to);
  return (
    element('rect', { class: 'target', x: start, y: y(high), width: end - start, height: y(low) - y(high) }) +
    element('path', { class: 'aim', d: `M${place(start)} ${place(y(aim))}H${place(end)}` })
  );
}

function drawBehind({ look, points, threads }: Line, { x, y }: Plot): string {
  const bands = pieces(points.map((p) => (p?.low !== undefined && p.high !== undefined ? p : null))).map((piece) => {
    const upper = piece.map((p) => [x(p.x), y(p.high!)] as const);
    const lower = piece.map((p) => [x(p.x), y(p.low!)] as const).reverse();
    return element('path', { class: 'band', d: `${path([...upper, ...lower])}Z` });
  });
  const thin = threads.flatMap(pieces).map((piece) => element('path', { class: 'thread', d: curve(piece, { x, y }) }));
  return element('g', { class: colourClass(look) }, ...bands, ...thin);
}

function drawLine({ look, points }: Line, { x, y }: Plot): string {
  const strokes = pieces(points).map((piece) =>
    element('path', { class: 'line', d: curve(piece, { x, y }), 'stroke-dasharray': dashes(look) }),
  );
  const known = points.filter((p) => p !== null);
  const every = Math.ceil(known.length / MOST_MARKERS);
  const marks = known
    .filter((_, i) => i % every === 0)
    .map((p) => marker(look, x(p.x), y(p.y), p.hover ? textElement('title', {}, p.hover) : ''));
  return element('g', { class: colourClass(look) }, ...strokes, ...marks);
}

const curve = (piece: readonly Point[], { x, y }: Pick<Plot, 'x' | 'y'>) => path(piece.map((p) => [x(p.x), y(p.y)]));

/** The stretches between gaps. */
function pieces(points: readonly (Point | null)[]): Point[][] {
  const out: Point[][] = [[]];
  for (const point of points) {
    if (point) out.at(-1)!.push(point);
    else if (out.at(-1)!.length > 0) out.push([]);
  }
  return out.filter((piece) => piece.length > 0);
}
