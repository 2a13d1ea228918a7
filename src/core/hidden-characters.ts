/** Characters that a reader can't see or that move what is seen, and how to write them so that they can be seen. */

/**
 * Controls (C0, DEL, C1), invisible formatting such as bidi overrides, tags and zero-width spaces, line and paragraph
 * separators, and halves of surrogate pairs. The two joiners stay: emoji and several scripts are written with them, and
 * they move nothing.
 */
export const HIDDEN: RegExp = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** As an escape of a programming language: `\x1b`, `\u202e`, `\u{e0041}`. */
export function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? escapedUnit(code) : `\\u{${code.toString(16)}}`;
}

export const escapedUnit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
