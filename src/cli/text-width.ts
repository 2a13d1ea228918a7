/** Text measured in columns of a terminal: combining marks take none, CJK and emoji take two. */
import { stripVTControlCharacters } from 'node:util';

const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
const NO_WIDTH = /^[\p{M}\u200c\u200d]+$/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Colours count for nothing. */
export function textWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (ASCII.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes.segment(plain)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)));
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - textWidth(text))) + text;

/** The beginning of an unpainted text, with an ellipsis where it had to be cut. */
export function clip(text: string, width: number): string {
  // Whatever follows this many characters can't fit: no need to measure a megabyte.
  const start = text.length > 8 * width ? text.slice(0, 8 * width) : text;
  if (start === text && textWidth(text) <= width) return text;
  return `${take(start, width - 1).trimEnd()}…`;
}

/** Breaks one unpainted line at spaces; a longer word is broken where it must be. */
export function wrap(line: string, width: number): string[] {
  // Anything fits into two columns, so that every step takes something.
  const room = Math.max(2, width);
  if (textWidth(line) <= room) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<= )/)) {
    if (textWidth((current + word).trimEnd()) <= room) {
      current += word;
      continue;
    }
    if (current.trim() !== '') lines.push(current.trimEnd());
    current = word;
    for (let head = take(current, room); head.length < current.trimEnd().length; head = take(current, room)) {
      lines.push(head);
      current = current.slice(head.length);
    }
  }
  if (current.trim() !== '') lines.push(current.trimEnd());
  return lines;
}

/** As many graphemes as fit. */
function take(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}
