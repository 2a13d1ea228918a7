/** A figure: panels under one title with one legend. The page places the panels as it has room; a file has them in rows. */
import { element, place, textElement, textWidth } from './element.ts';
import type { Panel } from './frame.ts';
import { FIGURE_STYLE } from './look.ts';

export interface LegendEntry {
  label: string;
  /** Markup in a box of KEY_WIDTH by KEY_HEIGHT. */
  key: string;
}

export const KEY_WIDTH = 28;
export const KEY_HEIGHT = 14;

export interface Figure {
  /** For file names and links. */
  id: string;
  title: string;
  /** One sentence on how to read it. */
  hint: string;
  legend: LegendEntry[];
  panels: Panel[];
}

export const isEmpty = ({ panels }: Figure): boolean => panels.every((panel) => panel.empty);

/** What its panels say, once each. */
export const whyEmpty = ({ panels }: Figure): string =>
  [...new Set(panels.map((panel) => panel.description))].join(' ');

/** One panel for a page that has the style already. */
export function inlinePanel(
  { id }: Figure,
  { title, description, width, height, markup }: Panel,
  index: number,
): string {
  const name = `${id}-${index + 1}`;
  return element(
    'svg',
    { viewBox: `0 0 ${width} ${place(height)}`, role: 'img', 'aria-labelledby': `${name}-title ${name}-desc` },
    textElement('title', { id: `${name}-title` }, title),
    textElement('desc', { id: `${name}-desc` }, description),
    markup,
  );
}

export const inlineKey = ({ key }: LegendEntry): string =>
  element(
    'svg',
    { viewBox: `0 0 ${KEY_WIDTH} ${KEY_HEIGHT}`, width: KEY_WIDTH, height: KEY_HEIGHT, 'aria-hidden': 'true' },
    key,
  );

const MARGIN = 20;
const GAP = 28;
const COLUMNS = 3;

/** The whole figure as a file of its own. */
export function standalone({ title, hint, legend, panels }: Figure): string {
  const columns = Math.min(COLUMNS, panels.length);
  const wide = Math.max(...panels.map((panel) => panel.width));
  const width = 2 * MARGIN + columns * wide + (columns - 1) * GAP;
  const keys = legendRows(legend, width - 2 * MARGIN, 54);
  let y = keys.bottom + 12;
  const placed: string[] = [];
  for (let i = 0; i < panels.length; i += columns) {
    const row = panels.slice(i, i + columns);
    row.forEach((panel, c) => {
      const at = `translate(${MARGIN + c * (wide + GAP)} ${place(y)})`;
      placed.push(element('g', { transform: at }, panel.markup));
    });
    y += Math.max(...row.map((panel) => panel.height)) + GAP;
  }
  const height = y - GAP + MARGIN;
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${place(height)}`,
      width,
      height,
      role: 'img',
      'aria-labelledby': 'title desc',
    },
    textElement('title', { id: 'title' }, title),
    textElement('desc', { id: 'desc' }, [hint, ...panels.map((p) => `${p.title}: ${p.description}.`)].join(' ')),
    element('style', {}, FIGURE_STYLE),
    element('rect', { class: 'paper', width: '100%', height: '100%' }),
    textElement('text', { class: 'figure', x: MARGIN, y: 34 }, title),
    element('g', { transform: `translate(${MARGIN} 0)` }, keys.markup),
    ...placed,
  );
}

/** Entries side by side, in as many rows as they need. */
function legendRows(legend: readonly LegendEntry[], width: number, top: number): { markup: string; bottom: number } {
  let x = 0;
  let y = top;
  const entries = legend.map(({ label, key }) => {
    const needed = KEY_WIDTH + 6 + textWidth(label) + 18;
    if (x > 0 && x + needed > width) {
      x = 0;
      y += 20;
    }
    const entry = element(
      'g',
      { transform: `translate(${place(x)} ${y})` },
      key,
      textElement('text', { class: 'name', x: KEY_WIDTH + 6, y: 11 }, label),
    );
    x += needed;
    return entry;
  });
  return { markup: entries.join(''), bottom: legend.length > 0 ? y + 20 : top };
}
