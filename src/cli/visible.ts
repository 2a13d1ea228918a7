/**
 * Text that models, files or folder names bring along, made safe to print. An escape sequence in a task would otherwise
 * repaint the reader's terminal, and a bidi override would show another task than the one that was trained on.
 */

import { escaped, escapedUnit, HIDDEN } from '../core/hidden-characters.ts';

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line: everything hidden becomes an escape, line breaks too. */
export const visible = (text: string): string => text.replace(HIDDEN, (found) => NAMED[found] ?? escaped(found));

/** Enough of a reason or a name to know it by; a model may have written a megabyte. */
const BRIEF = 400;

/** One line, and not a long one. */
export const brief = (text: string): string =>
  text.length > BRIEF ? `${visible(text.slice(0, BRIEF))}…` : visible(text);

/** The lines of a text, each made visible. Tabs are widened, as they would be in an editor. */
export const visibleLines = (text: string): string[] =>
  text.split(/\r?\n/).map((line) => visible(line.replaceAll('\t', '    ')));

/** JSON in which the same characters are escapes as well: the value is unchanged, and no terminal can act on it. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, plainArrays).replace(HIDDEN, (found) =>
    Array.from({ length: found.length }, (_, i) => escapedUnit(found.charCodeAt(i))).join(''),
  );

/** Token ids and log-probs are typed arrays, which JSON would write as objects. */
const plainArrays = (_: string, value: unknown) =>
  value instanceof Int32Array || value instanceof Float32Array ? [...value] : value;
