/** What a chart is made of, in words of its own: pages know nothing of the library that draws it. */
import type { SteppedBand } from '../../../core/stepped-band.ts';
import type { Colour } from './colours.ts';

export interface Line {
  name: string;
  values: (number | null)[];
  colour: Colour;
  dash?: readonly number[];
  width?: number;
  /** Which axis it is read on. */
  axis?: 'left' | 'right';
  /** As columns that stand on each other, in the order of the lines. */
  stacked?: boolean;
  /** Between these the raw numbers lie; drawn as a light area behind the line. */
  range?: { low: (number | null)[]; high: (number | null)[] };
  /** A light line behind another, such as a seed behind its mean. */
  thread?: boolean;
  points?: boolean;
  /** Drawn across places where it has no value of its own. */
  joined?: boolean;
  format?: (value: number) => string;
  /** Not in the legend. */
  quiet?: boolean;
}

/** Many small things of one kind at places of their own: batches, say. */
export interface Dots {
  name: string;
  colour: Colour;
  at: { x: number; y: number; n: number }[];
}

export interface ChartSpec {
  /** What the chart shows, for people who do not see it. */
  label: string;
  x: number[];
  xName: string;
  lines: Line[];
  dots?: Dots;
  /** The band that success should lie in; it may have steps where x is epochs. */
  band?: SteppedBand | undefined;
  /** Labelled levels, such as a cap. */
  levels?: { y: number; name: string }[];
  yName: string;
  yRange?: [number | null, number | null];
  rightName?: string;
  rightRange?: [number | null, number | null];
  height?: number;
  /** Charts with the same key show the same place at the same time. */
  sync?: string;
  xWhole?: boolean;
  /** Counts have no halves. */
  yWhole?: boolean;
  /** What happens when a place is chosen. */
  onPick?: (index: number) => void;
  pickHint?: string;
}
