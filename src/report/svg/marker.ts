/** The shapes that go with the colours. */
import { element, path } from './element.ts';
import { colourClass, dashes, type Look } from './look.ts';

/** A shape about `size` in radius, with what to say when a pointer rests on it. */
export function marker({ marker }: Look, x: number, y: number, hover = '', size = 3.4): string {
  const corners = (sides: number, turn: number, radius: number) =>
    `${path(
      Array.from({ length: sides }, (_, i) => {
        const angle = turn + (2 * Math.PI * i) / sides;
        return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)] as const;
      }),
    )}Z`;
  if (marker === 0) return element('circle', { class: 'mark', cx: x, cy: y, r: size }, hover);
  const outline = {
    1: corners(4, Math.PI / 4, 1.3 * size),
    2: corners(3, 0, 1.4 * size),
    3: corners(4, 0, 1.35 * size),
    4: corners(3, Math.PI, 1.4 * size),
    5: plus(x, y, 1.15 * size),
  }[marker];
  return element('path', { class: 'mark', d: outline }, hover);
}

function plus(x: number, y: number, arm: number): string {
  const w = arm / 2.2;
  // One quarter, turned four times.
  const quarter = [
    [w, -arm],
    [w, -w],
    [arm, -w],
  ] as const;
  const turned = [0, 1, 2, 3].flatMap((turns) =>
    quarter.map(([dx, dy]): [number, number] => {
      let at: [number, number] = [dx, dy];
      for (let i = 0; i < turns; i++) at = [-at[1], at[0]];
      return [x + at[0], y + at[1]];
    }),
  );
  return `${path(turned)}Z`;
}

/** A line of a legend in small: stroke and marker. */
export const swatch = (look: Look, x: number, y: number): string =>
  element(
    'g',
    { class: colourClass(look) },
    element('path', {
      class: 'line',
      d: path([
        [x, y],
        [x + 26, y],
      ]),
      'stroke-dasharray': dashes(look),
    }),
    marker(look, x + 13, y),
  );
