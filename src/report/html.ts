/** The report as one page: no script, no font, nothing to fetch. It reads on a phone, on a wall and on paper. */
import type { Block, Document, Table } from './blocks.ts';
import { PAGE_STYLE } from './page-style.ts';
import { element, textElement } from './svg/element.ts';
import { type Figure, inlineKey, inlinePanel, isEmpty, whyEmpty } from './svg/figure.ts';
import { FIGURE_STYLE } from './svg/look.ts';

/** Even if something got past the escaping, a browser would neither run nor fetch it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** So many panels leave a hole in rows of three. */
const EVEN = new Set([1, 2, 4]);

export function toHtml({ title, blocks }: Document): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    textElement('title', {}, title),
    `<style>\n${PAGE_STYLE}\n${FIGURE_STYLE}\n</style>`,
    '</head>',
    '<body>',
    '<main>',
    textElement('h1', {}, title),
    ...blocks.map(block),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function block(content: Block): string {
  switch (content.kind) {
    case 'heading':
      return textElement('h2', {}, content.text);
    case 'lead':
      return textElement('p', { class: 'lead' }, content.text);
    case 'facts': {
      const command = element('pre', {}, textElement('code', {}, content.command));
      const facts = content.facts.map(({ name, value }) =>
        element('div', {}, textElement('dt', {}, name) + textElement('dd', {}, value)),
      );
      return `${command}\n${element('dl', {}, ...facts)}`;
    }
    case 'table':
      return table(content);
    case 'figure':
      return figure(content.figure);
    case 'list':
      return element('ul', {}, ...content.items.map((item) => textElement('li', {}, item)));
    default:
      return content satisfies never;
  }
}

function table({ caption, head, rows, words }: Table): string {
  const kind = (column: number) => (column < words ? { class: 'words' } : {});
  const header = head.map((text, i) => textElement('th', { scope: 'col', ...kind(i) }, text));
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, i) =>
        textElement(i === 0 ? 'th' : 'td', { ...(i === 0 ? { scope: 'row' } : {}), ...kind(i) }, cell),
      ),
    ),
  );
  const whole = element(
    'table',
    {},
    textElement('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...header)),
    element('tbody', {}, ...body),
  );
  // Wide tables scroll by themselves, reachable from the keyboard, and never make the page wider than the screen.
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, whole);
}

function figure(drawn: Figure): string {
  const { id, title, hint } = drawn;
  const caption = element('figcaption', {}, textElement('h3', {}, title) + textElement('p', {}, hint));
  const content = isEmpty(drawn)
    ? textElement('p', { class: 'absent' }, whyEmpty(drawn))
    : legend(drawn) + panels(drawn);
  return element('figure', { id }, caption, '\n', content);
}

function legend({ legend }: Figure): string {
  const keys = legend.map((entry) => element('li', {}, inlineKey(entry) + textElement('span', {}, entry.label)));
  return keys.length > 0 ? `${element('ul', { class: 'legend' }, ...keys)}\n` : '';
}

function panels(drawn: Figure): string {
  const drawings = drawn.panels.map((panel, i) => `${inlinePanel(drawn, panel, i)}\n`);
  return element('div', { class: EVEN.has(drawings.length) ? 'panels even' : 'panels' }, ...drawings);
}
