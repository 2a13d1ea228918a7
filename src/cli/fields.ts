/** Facts under a label: the label once, dim, and long values wrapped beside it. */
import { paint } from './say.ts';
import { padEnd, wrap } from './text-width.ts';

/** Values are unpainted lines. A label without any is left out. */
export type Field = readonly [label: string, values: readonly string[]];

/** Wide enough for the longest label and a space. */
export const LABEL_WIDTH = 12;

export function fields(all: readonly Field[], width: number): string[] {
  return all.flatMap(([label, values]) =>
    values
      .flatMap((value) => wrap(value, width - LABEL_WIDTH - 2))
      .map((line, i) => `  ${paint('dim', padEnd(i === 0 ? label : '', LABEL_WIDTH))}${line}`.trimEnd()),
  );
}
