/**
 * Text that models, files or folder names bring along, made safe to print. An escape sequence in a task would otherwise
 * repaint the reader's terminal, and a bidi override would show another task than the one that was trained on.
 */

/**
 * Controls (C0, DEL, C1), invisible formatting such as bidi overrides, tags and zero-width spaces, line and paragraph
 * separators, and halves of surrogate pairs. The two joiners stay: emoji and several scripts are written with them, and
 * they move nothing.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

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
    Array.from({ length: found.length }, (_, i) => unit(found.charCodeAt(i))).join(''),
  );

/** Token ids and log-probs are typed arrays, which JSON would write as objects. */
const plainArrays = (_: string, value: unknown) =>
  value instanceof Int32Array || value instanceof Float32Array ? [...value] : value;

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? unit(code) : `\\u{${code.toString(16)}}`;
}

const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
