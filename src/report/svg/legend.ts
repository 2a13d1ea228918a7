/** The keys of a legend, each the thing itself in small. */
import { element } from './element.ts';
import { KEY_HEIGHT, KEY_WIDTH, type LegendEntry } from './figure.ts';
import type { Look } from './look.ts';
import { swatch } from './marker.ts';

const MIDDLE = KEY_HEIGHT / 2;

const box = (className: string) =>
  element('rect', { class: className, x: 1, y: 1, width: KEY_WIDTH - 2, height: KEY_HEIGHT - 2 });

export const lineKey = (label: string, look: Look): LegendEntry => ({ label, key: swatch(look, 1, MIDDLE) });

export const intervalKey = (label: string): LegendEntry => ({ label, key: element('g', { class: 'c6' }, box('band')) });

export const threadKey = (label: string): LegendEntry => ({
  label,
  key: element('g', { class: 'c6' }, element('path', { class: 'thread', d: `M1 ${MIDDLE + 2}l8 -5l9 6l9 -4` })),
});

export const targetKey = (label: string): LegendEntry => ({
  label,
  key: box('target') + element('path', { class: 'aim', d: `M1 ${MIDDLE}H${KEY_WIDTH - 1}` }),
});

export const layerKey = (label: string, className: string): LegendEntry => ({ label, key: box(className) });

export const whiskerKey = (label: string): LegendEntry => ({
  label,
  key: element('g', { class: 'c6' }, element('path', { class: 'whisker', d: `M2 ${MIDDLE}H${KEY_WIDTH - 2}` })),
});

export const singleKey = (label: string): LegendEntry => ({
  label,
  key: element(
    'g',
    { class: 'c6' },
    ...[5, 13, 18].map((x) => element('circle', { class: 'seed', cx: x, cy: MIDDLE, r: 2.2 })),
  ),
});
