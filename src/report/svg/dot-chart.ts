/** Values as dots with intervals, one row each, in groups that may have a name; hollow dots are the single seeds. */
import { element, place, shortened, textElement, textWidth } from './element.ts';
import { emptyPanel, heading, PANEL_WIDTH, type Panel } from './frame.ts';
import { colourClass, type Look } from './look.ts';
import { marker } from './marker.ts';
import { clipped, linear, niceRange, type Range, type Scale, ticks } from './scale.ts';

export interface Dot {
  look: Look;
  value: number;
  low?: number;
  high?: number;
  /** The single values behind the mean. */
  singles: readonly number[];
  hover: string;
}

export interface DotRow {
  name: string;
  dots: readonly Dot[];
}

export interface DotChart {
  title: string;
  label: string;
  /** Of the axis. */
  tick: (value: number) => string;
  /** Of the value at the end of a row. */
  format: (value: number) => string;
  rows: readonly DotRow[];
  /** Where values can lie. */
  within?: Range;
  range?: Range;
  /** A value to compare with, drawn as a line. */
  reference?: number;
  absent: string;
}

const TOP = 28;
const BOTTOM = 34;
const LABEL_GAP = 8;
/** The longest name of a row, in letters; a longer one is cut, and whole on hover. */
const NAME = 22;

export function dotChart({
  title,
  label,
  tick: tickText,
  format,
  rows,
  within,
  range,
  reference,
  absent,
}: DotChart): Panel {
  const dots = rows.flatMap((row) => row.dots);
  if (dots.length === 0) return emptyPanel(title, absent);
  const values = dots.flatMap((d) => [d.value, d.low ?? d.value, d.high ?? d.value, ...d.singles]);
  const nice = niceRange(reference === undefined ? values : [...values, reference]);
  const domain = range ?? (within ? clipped(nice, within) : nice);
  const names = rows.map((row) => shortened(row.name, NAME));
  const left = 12 + Math.max(...names.map((name) => textWidth(name)));
  // Rows of one dot have room for its value at the right.
  const single = rows.every((row) => row.dots.length <= 1);
  const right = PANEL_WIDTH - (single ? 52 : 12);
  const x = linear(domain, [left, right]);
  const pitch = single ? 28 : 11;
  const heights = rows.map((row) => Math.max(single ? 28 : 24, pitch * row.dots.length + 10));
  const tops = heights.map((_, i) => TOP + heights.slice(0, i).reduce((a, b) => a + b, 0));
  const bottom = TOP + heights.reduce((a, b) => a + b, 0);

  const at = ticks(domain, 4);
  const labels = labelled(at, tickText, right - left);
  const grid = at.map(
    (tick, i) =>
      element('path', { class: 'grid', d: `M${place(x(tick))} ${TOP}V${bottom}` }) +
      (labels[i] === undefined
        ? ''
        : textElement('text', { x: x(tick), y: bottom + 15, 'text-anchor': 'middle' }, labels[i])),
  );
  const drawn = rows.map((row, r) => {
    const middle = tops[r]! + heights[r]! / 2;
    const separator = r > 0 && !single ? element('path', { class: 'grid', d: `M0 ${tops[r]}H${right}` }) : '';
    const name = element(
      'text',
      { class: 'name', x: left - 8, y: middle + 4, 'text-anchor': 'end' },
      textElement('title', {}, row.name) + textElement('tspan', {}, names[r]!),
    );
    const marks = row.dots.map((dot, i) => {
      const y = middle + (i - (row.dots.length - 1) / 2) * pitch;
      const number = single
        ? textElement('text', { class: 'name', x: PANEL_WIDTH, y: y + 4, 'text-anchor': 'end' }, format(dot.value))
        : '';
      return drawDot(dot, x, y) + number;
    });
    return separator + name + marks.join('');
  });
  const line =
    reference === undefined ? '' : element('path', { class: 'axis', d: `M${place(x(reference))} ${TOP}V${bottom}` });
  return {
    title,
    description: dots.map((dot) => dot.hover).join('; '),
    width: PANEL_WIDTH,
    height: bottom + BOTTOM,
    markup: [
      heading(title, ''),
      ...grid,
      line,
      ...drawn,
      textElement('text', { x: right, y: bottom + BOTTOM - 4, 'text-anchor': 'end' }, label),
    ].join(''),
    empty: false,
  };
}

/** The labels of ticks, as many as have room: every tick, or every second one, and so on, zero among them. */
function labelled(at: readonly number[], format: (value: number) => string, room: number): (string | undefined)[] {
  const labels = at.map(format);
  const widest = Math.max(...labels.map((label) => textWidth(label)));
  const every = Math.max(1, Math.ceil((at.length * (widest + LABEL_GAP)) / room));
  const zero = Math.max(0, at.indexOf(0));
  return labels.map((label, i) => ((i - zero) % every === 0 ? label : undefined));
}

function drawDot({ look, value, low, high, singles, hover }: Dot, x: Scale, y: number): string {
  const whisker =
    low === undefined || high === undefined
      ? ''
      : element('path', { class: 'whisker', d: `M${place(x(low))} ${place(y)}H${place(x(high))}` });
  const seeds = singles.map((single) => element('circle', { class: 'seed', cx: x(single), cy: y, r: 2.2 }));
  return element(
    'g',
    { class: colourClass(look) },
    whisker,
    ...seeds,
    marker(look, x(value), y, textElement('title', {}, hover), 4),
  );
}
