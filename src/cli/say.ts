/** What the reading commands write: lines for people, or JSON and nothing else. */
import { styleText } from 'node:util';
import { visibleJson } from './visible.ts';

/** Columns. Below the first, lines wrap instead of losing more; the second is for text that is piped. */
const NARROWEST = 40;
const PIPED = 100;

export const terminalWidth = (): number =>
  Math.max(NARROWEST, process.stdout.columns || Number(process.env.COLUMNS) || PIPED);

/** For lists: whoever pipes one wants all of it, and only a terminal has an edge. */
export const tableWidth = (): number =>
  process.stdout.isTTY || process.env.COLUMNS ? terminalWidth() : Number.POSITIVE_INFINITY;

export function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function sayJson(value: unknown): void {
  process.stdout.write(`${visibleJson(value)}\n`);
}

/** Plain where stdout is no terminal or NO_COLOR is set. One style at a time: Node 20 paints lists of them regardless. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'underline';
