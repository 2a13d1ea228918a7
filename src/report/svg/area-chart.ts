/** Shares of a whole over one axis, stacked: what is on top and what is below says as much as the colour. */
import { element, path, textElement, textWidth } from './element.ts';
import { emptyPanel, framed, type Panel, type Plot } from './frame.ts';
import { type Range, ticks, wholeTicks } from './scale.ts';

export interface Layer {
  /** Also the class that colours it. */
  name: string;
  shares: readonly number[];
}

export interface AreaChart {
  title: string;
  x: { label: string; values: readonly number[]; format: (value: number) => string };
  y: { label: string; format: (value: number) => string };
  /** Lowest first. */
  layers: readonly Layer[];
  absent: string;
}

export function areaChart({ title, x, y, layers, absent }: AreaChart): Panel {
  if (x.values.length === 0) return emptyPanel(title, absent);
  // One epoch alone has no width: it is drawn as wide as an epoch.
  const first = x.values[0]!;
  const last = x.values.at(-1)!;
  const xs = x.values.length > 1 ? x.values : [first - 0.5, first + 0.5];
  const stacked = stack(
    x.values.length > 1 ? layers : layers.map((l) => ({ ...l, shares: [l.shares[0]!, l.shares[0]!] })),
  );
  const range: Range = [xs[0]!, xs.at(-1)!];
  const description = layers
    .map((l) => `${l.name} from ${y.format(l.shares[0]!)} to ${y.format(l.shares.at(-1)!)}`)
    .join('; ');
  return framed(
    {
      title,
      description: `Epochs ${first} to ${last}: ${description}`,
      x: { ...x, range, ticks: wholeTicks(range) },
      y: { ...y, range: [0, 1], ticks: ticks([0, 1]) },
    },
    (plot) => stacked.map((layer) => draw(layer, xs, plot)).join('') + stacked.map((l) => label(l, xs, plot)).join(''),
  );
}

interface Stacked {
  name: string;
  low: number[];
  high: number[];
}

function stack(layers: readonly Layer[]): Stacked[] {
  let floor = (layers[0]?.shares ?? []).map(() => 0);
  return layers.map(({ name, shares }) => {
    const low = floor;
    const high = shares.map((share, i) => low[i]! + share);
    floor = high;
    return { name, low, high };
  });
}

function draw({ name, low, high }: Stacked, xs: readonly number[], { x, y }: Plot): string {
  const upper = xs.map((value, i) => [x(value), y(high[i]!)] as const);
  const lower = xs.map((value, i) => [x(value), y(low[i]!)] as const);
  return (
    element('path', { class: name, d: `${path([...upper, ...lower.toReversed()])}Z` }) +
    element('path', { class: 'edge', d: path(upper) })
  );
}

/** The name inside the layer where it has most room over its whole width; too thin a layer is left to the legend. */
function label({ name, low, high }: Stacked, xs: readonly number[], { x, y, left, right }: Plot): string {
  const half = textWidth(name) / 2 + 4;
  const edge = (values: readonly number[], at: number) => y(interpolated(xs.map(x), values, at));
  const places = Array.from({ length: 25 }, (_, i) => left + half + 8 + (i / 24) * (right - left - 2 * half - 16));
  const best = places
    .map((at) => {
      const along = [at - half, at, at + half];
      const top = Math.max(...along.map((place) => edge(high, place)));
      const bottom = Math.min(...along.map((place) => edge(low, place)));
      return { at, middle: (top + bottom) / 2, room: bottom - top };
    })
    .reduce((a, b) => (b.room > a.room ? b : a));
  if (best.room < 14) return '';
  return textElement('text', { class: `on-${name}`, x: best.at, y: best.middle + 4, 'text-anchor': 'middle' }, name);
}

/** The value at a place between known ones. */
function interpolated(places: readonly number[], values: readonly number[], at: number): number {
  const after = Math.max(
    1,
    places.findIndex((place) => place >= at),
  );
  const [x0, x1, y0, y1] = [places[after - 1]!, places[after]!, values[after - 1]!, values[after]!];
  return y0 + ((Math.min(x1, Math.max(x0, at)) - x0) / (x1 - x0)) * (y1 - y0);
}
