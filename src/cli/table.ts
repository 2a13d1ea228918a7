/** Rows under dim titles, as wide as they need to be. Where the terminal is too narrow, columns give way in a set order. */
import { paint } from './say.ts';
import { clip, padEnd, padStart, textWidth, wrap } from './text-width.ts';

export interface Column<Row> {
  title: string;
  /** Unpainted, and already made visible where a model wrote it. */
  cell(row: Row): string;
  align?: 'right';
  paint?(text: string, row: Row): string;
  /** Left out when the table is too wide; the highest goes first. A column without it always stays. */
  drop?: number;
  /** Shortened as far as this before any column is left out. */
  shrinkTo?: number;
}

const GAP = '  ';
const MARGIN = '  ';

export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const sized = squeeze(
    columns.map((column) => {
      const cells = rows.map((row) => column.cell(row));
      return {
        column,
        cells,
        width: cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(column.title)),
      };
    }),
    width,
  );
  const missing = columns.filter((column) => !sized.some((one) => one.column === column)).map(({ title }) => title);
  const line = (cells: string[]) => `${MARGIN}${cells.join(GAP)}`.trimEnd();
  const place = ({ column, width: room }: Sized<Row>, text: string) =>
    (column.align === 'right' ? padStart : padEnd)(clip(text, room), room);
  return [
    paint('dim', line(sized.map((one) => place(one, one.column.title)))),
    ...rows.map((row, i) => line(sized.map((one) => (one.column.paint ?? same)(place(one, one.cells[i] ?? ''), row)))),
    // What is missing is said, or a narrow terminal would look like a run without validation.
    ...(missing.length > 0
      ? wrap(`no room for: ${missing.join(', ')}`, width - MARGIN.length).map((text) => paint('dim', MARGIN + text))
      : []),
  ];
}

interface Sized<Row> {
  column: Column<Row>;
  cells: string[];
  width: number;
}

const same = (text: string) => text;

function squeeze<Row>(sized: Sized<Row>[], width: number): Sized<Row>[] {
  const order = (one: Sized<Row>) => one.column.drop ?? 0;
  const least = (one: Sized<Row>) => Math.min(one.width, one.column.shrinkTo ?? one.width);
  const total = (all: Sized<Row>[], of: (one: Sized<Row>) => number) =>
    all.reduce((sum, one) => sum + of(one) + GAP.length, MARGIN.length - GAP.length);

  let kept = sized;
  while (total(kept, least) > width) {
    const next = kept.reduce((most, one) => (order(one) > order(most) ? one : most));
    if (order(next) === 0) break;
    kept = kept.filter((one) => one !== next);
  }
  // From the right: the last column is the one that runs on.
  let excess = total(kept, (one) => one.width) - width;
  for (const one of kept.toReversed()) {
    const less = Math.min(Math.max(0, excess), one.width - least(one));
    excess -= less;
    one.width -= less;
  }
  return kept;
}
