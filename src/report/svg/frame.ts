/** What every panel has: a title, axes with units in words, gridlines at round numbers, and a description for those who hear it. */
import { element, place, shortened, textElement, textWidth } from './element.ts';
import { linear, type Range, type Scale } from './scale.ts';

/** Near the width of a phone, so that a panel that fills one has letters of their natural size. */
export const PANEL_WIDTH = 380;
const PANEL_HEIGHT = 262;
const TOP = 46;
const BOTTOM = 38;
const RIGHT = 12;

export interface Axis {
  label: string;
  range: Range;
  ticks: readonly number[];
  format: (value: number) => string;
}

/** One drawing: markup to place inside an `<svg>` of this size. */
export interface Panel {
  title: string;
  /** What it shows, in words. */
  description: string;
  width: number;
  height: number;
  markup: string;
  /** Nothing was measured: the panel says so instead of a drawing. */
  empty: boolean;
}

export interface Plot {
  x: Scale;
  y: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Axes, and what `draw` puts between them. */
export function framed(
  { title, description, x, y }: { title: string; description: string; x: Axis; y: Axis },
  draw: (plot: Plot) => string,
): Panel {
  const labels = y.ticks.map(y.format);
  const left = Math.max(30, 10 + Math.max(0, ...labels.map((label) => textWidth(label))));
  const [right, bottom] = [PANEL_WIDTH - RIGHT, PANEL_HEIGHT - BOTTOM];
  const plot: Plot = {
    x: linear(x.range, [left + 6, right - 6]),
    y: linear(y.range, [bottom, TOP]),
    left,
    right,
    top: TOP,
    bottom,
  };
  const rows = y.ticks.map(
    (tick, i) =>
      element('path', { class: 'grid', d: `M${place(left)} ${place(plot.y(tick))}H${right}` }) +
      textElement('text', { x: left - 5, y: plot.y(tick) + 4, 'text-anchor': 'end' }, labels[i]!),
  );
  const columns = x.ticks.map(
    (tick) =>
      element('path', { class: 'axis', d: `M${place(plot.x(tick))} ${bottom}v4` }) +
      textElement('text', { x: plot.x(tick), y: bottom + 16, 'text-anchor': 'middle' }, x.format(tick)),
  );
  const markup = [
    heading(title, y.label),
    ...rows,
    ...columns,
    element('path', { class: 'axis', d: `M${place(left)} ${bottom}H${right}` }),
    textElement('text', { x: right, y: PANEL_HEIGHT - 6, 'text-anchor': 'end' }, x.label),
    draw(plot),
  ].join('');
  return { title, description, width: PANEL_WIDTH, height: PANEL_HEIGHT, markup, empty: false };
}

/** The label of the vertical axis stands over it: turned text is slow to read. */
export const heading = (title: string, yLabel: string): string =>
  textElement('text', { class: 'title', x: 0, y: 14 }, shortened(title, 48)) +
  textElement('text', { x: 0, y: 31 }, yLabel);

export function emptyPanel(title: string, reason: string): Panel {
  const width = PANEL_WIDTH;
  const height = 92;
  const markup =
    heading(title, '') +
    element('rect', {
      x: 0.5,
      y: 28.5,
      width: width - 1,
      height: 56,
      rx: 4,
      fill: 'none',
      class: 'axis',
      'stroke-dasharray': '3 4',
    }) +
    textElement('text', { x: width / 2, y: 60, 'text-anchor': 'middle' }, reason);
  return { title, description: reason, width, height, markup, empty: true };
}
