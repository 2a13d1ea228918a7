/** A report as data: plain text, tables and figures. HTML and Markdown are two ways to write the same blocks. */
import type { Figure } from './svg/figure.ts';

export interface Table {
  kind: 'table';
  caption: string;
  head: string[];
  rows: string[][];
  /** How many columns at the left hold words; the others hold numbers. */
  words: number;
}

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'lead'; text: string }
  | { kind: 'facts'; command: string; facts: { name: string; value: string }[] }
  | Table
  | { kind: 'figure'; figure: Figure }
  | { kind: 'list'; items: string[] };

export interface Document {
  title: string;
  blocks: Block[];
}
